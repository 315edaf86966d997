import { Button, Group } from '@mantine/core'
import { useRef } from 'react'
import type { Event } from '../../../contract/event.ts'
import { type ExtrasPurchase, numbered } from '../../../contract/extras.ts'
import { redemptionApi } from '../../../contract/redemptions.ts'
import { formatTime } from '../../../contract/values/dates.ts'
import { voucherUrl } from '../../../contract/values/ticket-codes.ts'
import * as texts from '../../../texts/generated/attendees.ts'
import { useCall } from '../../api/query.ts'
import { newId } from '../../new-id.ts'
import type { Ticket } from '../../registrations/ticket/ticket.ts'
import { useMay } from '../../session/may.ts'
import { baseUrl } from '../../site.ts'
import styles from './AttendeePanel.module.css'

/** An attendee's vouchers: what is left of each, and redeeming or undoing it by hand. */
export function PanelVouchers({ event, ticket: { registration, extras } }: { event: Event; ticket: Ticket }) {
  if (extras.length === 0) return null
  return (
    <section aria-labelledby="vouchers">
      <h3 id="vouchers">{texts.vouchers()}</h3>
      {extras.map((voucher) => (
        <Voucher
          key={voucher.id}
          event={event}
          voucher={voucher}
          title={numbered(voucher, extras)}
          canRedeem={registration.status === 'confirmed'}
        />
      ))}
    </section>
  )
}

interface VoucherProps {
  event: Event
  voucher: ExtrasPurchase
  title: string
  canRedeem: boolean
}

function Voucher({ event, voucher, title, canRedeem }: VoucherProps) {
  const redeem = useCall(redemptionApi.scanByExtrasPurchaseId)
  const undo = useCall(redemptionApi.undoRedemption)
  const may = useMay()
  const { id, name, content, scannedAt } = voucher
  const scans = useRef(new Map<string, string>())
  /** A tap repeated after a lost answer is the same scan, recognized by the count at which it was made. */
  function scanFor(unit: ExtrasPurchase['content'][number]): string {
    const key = `${unit.name} ${unit.redeemed}`
    const scanId = scans.current.get(key) ?? newId()
    scans.current.set(key, scanId)
    return scanId
  }
  return (
    <div className={styles.panelVoucher}>
      <strong>{title}</strong>
      {scannedAt && (
        <span className="muted small"> {texts.lastUsed({ time: formatTime(scannedAt, event.timeZone) })}</span>
      )}
      {content.map((unit) => {
        const units = [{ name: unit.name, count: 1 }]
        return (
          <Group key={unit.name} gap="xs" justify="space-between">
            <span>
              {texts.unitsLeft({ name: unit.name, left: unit.quantity - unit.redeemed, count: unit.quantity })}
            </span>
            {may('door') && (
              <Group gap={4}>
                <Button
                  size="compact-md"
                  variant="light"
                  aria-label={texts.redeemOneOf({ unit: unit.name, voucher: name })}
                  disabled={!canRedeem || unit.redeemed === unit.quantity}
                  loading={redeem.isPending}
                  onClick={() =>
                    redeem.mutate({
                      payload: {
                        qrCodeData: voucherUrl(baseUrl(), voucher),
                        eventId: event.id,
                        units,
                        scanId: scanFor(unit),
                      },
                    })
                  }
                >
                  {texts.redeemOne()}
                </Button>
                <Button
                  size="compact-md"
                  variant="subtle"
                  aria-label={texts.takeBackOneOf({ unit: unit.name, voucher: name })}
                  disabled={unit.redeemed === 0}
                  loading={undo.isPending}
                  onClick={() => undo.mutate({ payload: { extrasPurchaseId: id, eventId: event.id, units } })}
                >
                  {texts.undo()}
                </Button>
              </Group>
            )}
          </Group>
        )
      })}
    </div>
  )
}
