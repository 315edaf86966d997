import { Button, Group, Menu } from '@mantine/core'
import { useState } from 'react'
import { type AttendeeRow, attendeeApi } from '../../../contract/attendees.ts'
import { checkinApi } from '../../../contract/checkins.ts'
import type { Event } from '../../../contract/event.ts'
import { isRefundable } from '../../../contract/payments.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import { ticketUrl } from '../../../contract/values/ticket-codes.ts'
import * as texts from '../../../texts/generated/attendees.ts'
import { useCall } from '../../api/query.ts'
import * as paths from '../../paths.ts'
import { RefundDialog } from '../../payments/RefundDialog.tsx'
import type { Ticket } from '../../registrations/ticket/ticket.ts'
import { useMay } from '../../session/may.ts'
import { baseUrl } from '../../site.ts'
import { openContact } from '../../ui/contact-link.ts'
import { RemovalDialog } from '../../ui/dialogs/RemovalDialog.tsx'
import { MoreButton } from '../../ui/menus/MoreButton.tsx'
import { RegistrationDialog } from '../RegistrationDialog.tsx'
import styles from './AttendeePanel.module.css'

type Asked = 'edit' | 'cancel' | 'remove' | 'refund' | null

interface Props {
  event: Event
  ticket: Ticket
  /** Called when the registration has been removed. */
  onClose: () => void
}

/** All that can be done with one attendee: the next step, one or two more beside it, and the rest in a menu. */
export function AttendeeActions({ event, ticket, mail, onClose }: Props & { mail: AttendeeRow['mail'] }) {
  const { registration, checkin } = ticket
  const checkIn = useCall(checkinApi.save)
  const confirm = useCall(attendeeApi.updateStatus)
  const send = useCall(attendeeApi.sendTicket)
  const may = useMay()
  const [asked, setAsked] = useState<Asked>(null)
  const { id, status, registrationData } = registration
  const { name, email, phone } = registrationData
  const isConfirmed = status === 'confirmed'
  const isIn = checkin?.status === true
  const isPaid = ticket.payment !== null && isRefundable(ticket.payment)
  const canSend = isConfirmed && email !== ''
  const wasSent = mail === 'sent' || mail === 'opened'
  const mayEdit = may('attendees')
  const mayRefund = isPaid && may('money')
  const url = ticketUrl(baseUrl(), registration)
  const share = () =>
    openContact(
      phone,
      isConfirmed
        ? texts.shareTicket({ name, event: event.name, url })
        : texts.sharePay({ name, event: event.name, url }),
    )
  return (
    <Group gap="xs" className={styles.actions}>
      {isConfirmed && may('door') && (
        <Button
          loading={checkIn.isPending}
          variant={isIn ? 'light' : 'filled'}
          onClick={() =>
            checkIn.mutate({ payload: { newCheckin: { registrationId: id, status: !isIn }, eventId: event.id } })
          }
        >
          {isIn ? texts.undoCheckin() : texts.checkIn()}
        </Button>
      )}
      {status === 'cancelled' && mayEdit && (
        <Button
          loading={confirm.isPending}
          onClick={() => confirm.mutate({ payload: { id, eventId: event.id, status: 'confirmed' } })}
        >
          {texts.confirmAgain()}
        </Button>
      )}
      {status === 'pending' && mayEdit && (
        <Button variant="light" onClick={share}>
          {texts.shareLinkToPay()}
        </Button>
      )}
      {!mayEdit ? null : canSend ? (
        <Button
          variant="light"
          loading={send.isPending}
          onClick={() => send.mutate({ registrationId: id, eventId: event.id })}
        >
          {wasSent ? texts.sendTicketAgain() : texts.sendTicket()}
        </Button>
      ) : (
        <Button variant="light" onClick={() => setAsked('edit')}>
          {texts.editDetails()}
        </Button>
      )}
      {(mayEdit || mayRefund) && (
        <Menu position="bottom-end" width={240} withinPortal={false}>
          <Menu.Target>
            <MoreButton isCompact />
          </Menu.Target>
          <Menu.Dropdown>
            {/* Without its secret, which only those who may send tickets get, a ticket cannot be opened or shared. */}
            {mayEdit && (
              <>
                {canSend && <Menu.Item onClick={() => setAsked('edit')}>{texts.editDetails()}</Menu.Item>}
                <Menu.Item component="a" href={paths.ticket(registration)} target="_blank" rel="noopener">
                  {texts.openTheTicket()}
                </Menu.Item>
                {isConfirmed && <Menu.Item onClick={share}>{texts.shareOnWhatsapp()}</Menu.Item>}
              </>
            )}
            {mayRefund && <Menu.Item onClick={() => setAsked('refund')}>{texts.giveMoneyBack()}</Menu.Item>}
            {mayEdit && (
              <>
                <Menu.Divider />
                {status !== 'cancelled' && (
                  <Menu.Item color="var(--bad)" onClick={() => setAsked('cancel')}>
                    {texts.cancelTheRegistration()}
                  </Menu.Item>
                )}
                {/* Whoever is paid for is removed after a refund. */}
                {(!isPaid || mayRefund) && (
                  <Menu.Item color="var(--bad)" onClick={() => setAsked('remove')}>
                    {texts.removeForGood()}
                  </Menu.Item>
                )}
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <ActionDialogs
        event={event}
        ticket={ticket}
        asked={asked}
        onAsk={setAsked}
        onClose={() => setAsked(null)}
        onRemoved={onClose}
      />
    </Group>
  )
}

interface DialogProps extends Props {
  asked: Asked
  onAsk: (next: Asked) => void
  onRemoved: () => void
}

/** The dialogs behind the actions. */
function ActionDialogs({ event, ticket, asked, onAsk, onClose, onRemoved }: DialogProps) {
  const { registration, payment } = ticket
  const updateStatus = useCall(attendeeApi.updateStatus)
  const remove = useCall(attendeeApi.removeRegistration)
  const { id, registrationData } = registration
  const { name, email } = registrationData
  const isPaid = payment !== null && isRefundable(payment)
  const toCard = isPaid ? payment.paid - payment.refunded - payment.atDoorLeft : 0
  const byHand = payment?.atDoorLeft ?? 0
  const asText = (amount: number) => formatPrice(amount, payment?.currency ?? event.currency)
  const cancel = { payload: { id, eventId: event.id, status: 'cancelled' as const } }
  return (
    <>
      {asked === 'edit' && (
        <RegistrationDialog
          event={event}
          registration={registration}
          ticketType={ticket.ticketType}
          onClose={onClose}
        />
      )}
      {asked === 'refund' && payment && (
        <RefundDialog registration={registration} payment={payment} onClose={onClose}>
          <WhatTheyHave ticket={ticket} />
        </RefundDialog>
      )}
      <RemovalDialog
        title={texts.cancelOne({ name })}
        action={texts.cancelTheRegistration()}
        isOpen={asked === 'cancel'}
        isBusy={updateStatus.isPending}
        onConfirm={() => updateStatus.mutate(cancel, { onSettled: onClose })}
        onClose={onClose}
      >
        <p>
          {email === '' ? texts.cancelText() : texts.cancelTextTold({ name })}{' '}
          {toCard > 0 && texts.moneyGoesBack({ amount: asText(toCard) })}{' '}
          {byHand > 0 && <strong>{texts.refundByHand({ amount: asText(byHand) })}</strong>}
        </p>
        <WhatTheyHave ticket={ticket} />
      </RemovalDialog>
      <RemovalDialog
        title={texts.removeOne({ name })}
        action={isPaid ? texts.giveMoneyBackFirst() : texts.removeForGood()}
        isOpen={asked === 'remove'}
        isBusy={remove.isPending}
        onConfirm={() =>
          isPaid
            ? onAsk('refund')
            : remove.mutate({ registrationId: id, eventId: event.id }, { onSuccess: onRemoved, onSettled: onClose })
        }
        onClose={onClose}
      >
        <p>{isPaid ? texts.removePaid({ name }) : texts.removeText()}</p>
      </RemovalDialog>
    </>
  )
}

/** Whether they are in already, and how many vouchers they still have: nothing to cancel by mistake. */
function WhatTheyHave({ ticket: { checkin, extras } }: { ticket: Ticket }) {
  const vouchers = extras.filter(({ status }) => !status).length
  const isIn = checkin?.status === true
  if (!isIn && vouchers === 0) return null
  return (
    <p>
      <strong>
        {isIn && texts.isCheckedIn()} {vouchers > 0 && texts.lostVouchers({ count: vouchers })}
      </strong>
    </p>
  )
}
