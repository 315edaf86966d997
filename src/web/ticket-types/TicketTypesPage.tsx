import { Button } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { Link, useParams } from 'react-router'
import { clubMemberApi } from '../../contract/club-members.ts'
import type { Event } from '../../contract/event.ts'
import { eventApi } from '../../contract/events.ts'
import { onSale, saleState, type TicketType, ticketsLeft } from '../../contract/ticket-type.ts'
import { ticketTypeApi } from '../../contract/ticket-types.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/ticketTypes.ts'
import { query, useCall } from '../api/query.ts'
import { CodesSection } from '../codes/CodesSection.tsx'
import { OfferCard } from '../extras/OfferCard.tsx'
import styles from '../extras/OfferList.module.css'
import { useOrder } from '../extras/use-order.ts'
import * as paths from '../paths.ts'
import { readId } from '../read-id.ts'
import { perOrderText } from '../registrations/ticket-type/per-order.ts'
import { useMay } from '../session/may.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Parts } from '../ui/Parts.tsx'
import { useNow } from '../ui/use-now.ts'
import { TicketTypeDialog } from './TicketTypeDialog.tsx'

/** The kinds of tickets that an event sells, each with its price, its number and when it is sold. */
export function TicketTypesPage() {
  const eventId = readId(useParams().eventId)
  const { data: event } = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  const types = useSuspenseQuery(query(ticketTypeApi.getTicketTypes, { eventId })).data
  const sold = onSale(types)
  const { sort, remove, putBack, isBusy } = useChanges(eventId, types)
  const { ordered, move } = useOrder(sold, sort)
  const may = useMay()
  const [edited, setEdited] = useState<TicketType | 'new' | null>(null)
  /** The ticket just put back on sale, which takes the focus from the button that is gone. */
  const [returned, setReturned] = useState<number | null>(null)
  return (
    <div className="page">
      <PageTitle title={texts.title({ event: event.name })} />
      <div className="row spread">
        <div>
          <h1>{texts.tickets()}</h1>
          <p className="muted">
            <Parts
              of={texts.subtitle({
                event: event.name,
                link: (text) => <Link to={paths.eventHome(eventId)}>{text}</Link>,
              })}
            />
          </p>
        </div>
        {may('events') && <Button onClick={() => setEdited('new')}>{texts.addATicket()}</Button>}
      </div>
      <ol className={styles.offers}>
        {ordered.map((type, index) => (
          <TicketTypeCard
            key={type.id}
            event={event}
            type={type}
            takesFocus={type.id === returned}
            place={{ isFirst: index === 0, isLast: index === ordered.length - 1 }}
            onMove={(step) => move(type.id, step)}
            onEdit={() => setEdited(type)}
            // An event sells at least one ticket.
            {...(ordered.length > 1 && {
              removal: {
                text: type.soldCount > 0 ? texts.offSaleSoldText({ count: type.soldCount }) : texts.offSaleText(),
                isBusy,
                confirm: (onSettled) =>
                  void remove(type.id)
                    .catch(() => {})
                    .finally(onSettled),
              },
            })}
          />
        ))}
      </ol>
      {sold.some(({ access }) => access === 'member') && <MembersHint clubId={event.clubId} />}
      <CodesSection event={event} types={types} />
      <OffSale
        types={types.filter(({ removedAt }) => removedAt !== null)}
        event={event}
        isBusy={isBusy}
        onPutBack={(id) =>
          void putBack(id).then(
            () => setReturned(id),
            () => {},
          )
        }
      />
      {edited && (
        <TicketTypeDialog
          event={event}
          type={edited === 'new' ? null : edited}
          types={sold}
          onClose={() => setEdited(null)}
        />
      )}
    </div>
  )
}

/** Saves the order of the ticket types, takes one off sale, or puts it back. Whatever the answer, reads what there is then. */
function useChanges(eventId: number, types: readonly TicketType[]) {
  const client = useQueryClient()
  const saving = useCall(ticketTypeApi.saveTicketTypes)
  const [isBusy, setBusy] = useState(false)
  const latest = query(ticketTypeApi.getTicketTypes, { eventId })
  async function save(idsOf: (seen: readonly TicketType[]) => readonly number[], back?: number): Promise<void> {
    setBusy(true)
    const seen = onSale(client.getQueryData<TicketType[]>(latest.queryKey) ?? types)
    try {
      await saving.mutateAsync({
        payload: {
          eventId,
          ticketTypes: [
            ...idsOf(seen).map((id) => ({ id })),
            ...(back === undefined ? [] : [{ id: back, putBack: true as const }]),
          ],
          seen: seen.map(({ id, version }) => ({ id, version })),
        },
      })
    } finally {
      await client.refetchQueries(latest)
      setBusy(false)
    }
  }
  return {
    // What a colleague has added since the list was shown comes last.
    sort: (ids: readonly number[]) =>
      save((seen) => {
        const known = seen.map(({ id }) => id)
        return [...ids.filter((id) => known.includes(id)), ...known.filter((id) => !ids.includes(id))]
      }),
    remove: (gone: number) => save((seen) => seen.map(({ id }) => id).filter((id) => id !== gone)),
    putBack: (id: number) => save((seen) => seen.map((type) => type.id), id),
    isBusy,
  }
}

interface CardProps
  extends Pick<ComponentProps<typeof OfferCard>, 'place' | 'onMove' | 'onEdit' | 'removal' | 'takesFocus'> {
  event: Event
  type: TicketType
}

function TicketTypeCard({ event, type, ...props }: CardProps) {
  const { name, description, price, maxQuantity, soldCount, access } = type
  const left = ticketsLeft(type)
  const sale = saleText(type, event, useNow())
  const perOrder = perOrderText(type)
  return (
    <OfferCard
      {...props}
      name={name}
      price={formatPrice(price, event.currency)}
      sold={[texts.taken({ count: soldCount }), ...(left === null ? [] : [texts.left({ count: left })])]}
      limit={maxQuantity === null ? null : { taken: soldCount, places: maxQuantity }}
    >
      {description && <p>{description}</p>}
      {access !== 'public' && (
        <p>{access === 'code' ? texts.onlyWithCode() : texts.onlyMembersEach({ count: type.maxPerMember })}</p>
      )}
      {sale !== null && <p className="muted">{sale}</p>}
      {perOrder !== '' && <p className="muted">{perOrder}</p>}
    </OfferCard>
  )
}

/** When it is sold, as seen from now; null for as long as registration is open. */
function saleText(type: TicketType, { timeZone }: Event, now: Date): string | null {
  const { saleOpensAt, saleClosesAt } = type
  const at = (moment: Date) => ({ date: formatDate(moment, timeZone), time: formatTime(moment, timeZone) })
  const state = saleState(type, now)
  if (saleClosesAt && state === 'over') return texts.soldUntilPast(at(saleClosesAt))
  const parts = [
    ...(saleOpensAt && state === 'not yet' ? [texts.soldFrom(at(saleOpensAt))] : []),
    ...(saleClosesAt ? [texts.soldUntil(at(saleClosesAt))] : []),
  ]
  return parts.length > 0 ? parts.join(' · ') : null
}

/** Says so where nobody can be recognized as a member. */
function MembersHint({ clubId }: { clubId: number }) {
  const { data: list } = useQuery(query(clubMemberApi.getMemberList, { clubId }))
  if (list !== null) return null
  return (
    <p className={`hint ${styles.notice}`}>
      <Parts of={texts.noMembers({ link: (text) => <Link to={paths.editClub(clubId)}>{text}</Link> })} />
    </p>
  )
}

interface OffSaleProps {
  types: readonly TicketType[]
  event: Event
  isBusy: boolean
  onPutBack: (id: number) => void
}

/** Those that somebody has but nobody can buy any more. */
function OffSale({ types, event, isBusy, onPutBack }: OffSaleProps) {
  const may = useMay()
  if (types.length === 0) return null
  return (
    <section className={`card ${styles.notice}`} aria-labelledby="off-sale">
      <h2 id="off-sale">{texts.offSale()}</h2>
      <ul className={styles.offSale}>
        {types.map(({ id, name, price, soldCount }) => (
          <li key={id} className="row spread">
            <span>
              {name} · {formatPrice(price, event.currency)} ·{' '}
              <span className="muted">{texts.taken({ count: soldCount })}</span>
            </span>
            {may('events') && (
              <Button
                variant="light"
                aria-label={texts.putOneBack({ ticket: name })}
                aria-disabled={isBusy || undefined}
                onClick={() => !isBusy && onPutBack(id)}
              >
                {texts.putBack()}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
