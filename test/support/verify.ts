import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../../src/server/db/schema.ts'

/** The types on sale that `counts`, of an event that has none of them all. */
const typesThat = (counts: string) => sql`(
  select * from (
    select *, ${sql.raw(counts)} or not bool_or(${sql.raw(counts)}) over (partition by event_id) as is_one
    from ticket_types where removed_at is null
  ) live where is_one
)`

/** Reads the database after a race or a fault and checks what must always be true. */
export async function verify(db: Db): Promise<void> {
  const broken = async (what: string, query: ReturnType<typeof sql>) => {
    const { rows } = await query.execute(db)
    expect(rows, what).toEqual([])
  }
  await broken(
    'seats: the count is that of the rows, and within capacity',
    sql`select e.id, e.registration_count, count(r.id)::int as rows from events e
        left join registrations r on r.event_id = e.id and r.status <> 'cancelled'
        group by e.id having e.registration_count <> count(r.id) or e.registration_count + e.walk_in_places > e.max_attendees`,
  )
  await broken(
    'the places kept for walk-ins are those that phones have and nobody got yet',
    sql`select e.id, e.walk_in_places from events e left join walk_in_quotas q on q.event_id = e.id
        group by e.id having e.walk_in_places <> coalesce(sum(q.granted - q.used), 0)`,
  )
  await broken(
    'only whoever was let in can have gone out',
    sql`select id from checkins where is_out and (not status or moved_at is null)`,
  )
  await broken(
    'tickets of a type: the count is that of the rows, and within what there are',
    sql`select t.id, t.sold_count, count(r.id)::int as rows from ticket_types t join events e on e.id = t.event_id and e.removed_at is null
        left join registrations r on r.event_id = t.event_id and r.status <> 'cancelled'
          and (r.ticket_type_id = t.id or r.ticket_type_id is null and t.is_first)
        group by t.id having t.sold_count <> count(r.id) or t.sold_count > t.max_quantity`,
  )
  await broken(
    'the uses of a code are those of the rows, and within what there are',
    sql`select c.id, c.used_count, count(r.id)::int as rows from codes c join events e on e.id = c.event_id and e.removed_at is null
        left join registrations r on r.code_id = c.id and r.status <> 'cancelled'
        group by c.id having c.used_count <> count(r.id) or c.used_count > c.max_uses`,
  )
  await broken(
    'no member has more tickets than a member may',
    sql`select t.id, r.member from ticket_types t join registrations r on r.event_id = t.event_id and r.status <> 'cancelled' and r.member is not null
          and (r.ticket_type_id = t.id or r.ticket_type_id is null and t.is_first)
        group by t.id, r.member having count(*) > t.max_per_member`,
  )
  await broken(
    'an event’s prices are those of the ticket types that everybody can buy, or of all',
    sql`select e.id from events e join ${typesThat("access = 'public'")} t on t.event_id = e.id where e.removed_at is null
        group by e.id having e.ticket_price <> min(t.price) or e.ticket_price_to <> max(t.price)`,
  )
  await broken(
    'an event knows when its tickets that are not sold out are sold',
    sql`select e.id from events e join ${typesThat("access <> 'code'")} t on t.event_id = e.id where e.removed_at is null
        group by e.id having e.tickets_gone <> bool_and(coalesce(t.sold_count >= t.max_quantity, false))
          or e.tickets_open_at is distinct from nullif(
            min(coalesce(t.sale_opens_at, '-infinity')) filter (where e.tickets_gone or t.max_quantity is null or t.sold_count < t.max_quantity),
            '-infinity')
          or e.tickets_close_at is distinct from nullif(
            max(coalesce(t.sale_closes_at, 'infinity')) filter (where e.tickets_gone or t.max_quantity is null or t.sold_count < t.max_quantity),
            'infinity')`,
  )
  await broken(
    'the counts by time are those of the rows',
    sql`select event_id, at, type, sum(registrations) as registrations, sum(checkins) as checkins, sum(amount) as amount from (
          select event_id, at, ticket_type_id as type, registrations, checkins, amount from event_counts
          union all
          select event_id, quarter_of(registration_time), coalesce(ticket_type_id, 0), -1, 0, case status when 'confirmed' then -amount else 0 end
          from registrations where status <> 'cancelled'
          union all
          select r.event_id, five_minutes_of(c.checkin_time), coalesce(r.ticket_type_id, 0), 0, -1, 0
          from checkins c join registrations r on r.id = c.registration_id where c.status and r.status <> 'cancelled'
        ) counted join events e on e.id = event_id and e.removed_at is null
        group by 1, 2, 3 having sum(registrations) <> 0 or sum(checkins) <> 0 or sum(amount) <> 0`,
  )
  await broken(
    'the counts of vouchers are those of confirmed registrations',
    sql`select extras_id, type, sum(sold) as sold, sum(redeemed) as redeemed, sum(amount) as amount from (
          select extras_id, ticket_type_id as type, sold, redeemed, amount from voucher_counts
          union all
          select p.extras_id, coalesce(r.ticket_type_id, 0), -1, -p.status::int, case when r.amount > 0 then -p.price else 0 end
          from extras_purchases p join registrations r on r.id = p.registration_id where r.status = 'confirmed'
        ) counted join extras x on x.id = extras_id join events e on e.id = x.event_id and e.removed_at is null
        group by 1, 2 having sum(sold) <> 0 or sum(redeemed) <> 0 or sum(counted.amount) <> 0`,
  )
  await broken(
    'the income by time is that of the payments and refunds',
    sql`select event_id, counted.currency, at, sum(paid) as paid, sum(returned) as returned, sum(lost) as lost, sum(refunded) as refunded from (
          select event_id, currency, at, paid, returned, lost, refunded from income_counts
          union all
          select event_id, currency, quarter_of(paid_at), -amount, -refunded, case dispute when 'lost' then refunded - amount else 0 end, 0
          from payments where status = 'paid' and registration_id is not null
          union all
          select p.event_id, p.currency, quarter_of(f.created_at), 0, 0, 0, -f.amount
          from refunds f join payments p on p.id = f.payment_id
          where f.status <> 'failed' and p.status = 'paid' and p.registration_id is not null
        ) counted join events e on e.id = event_id and e.removed_at is null
        group by 1, counted.currency, 3
        having sum(paid) <> 0 or sum(returned) <> 0 or sum(lost) <> 0 or sum(refunded) <> 0`,
  )
  await broken(
    'nobody is registered twice',
    sql`select event_id, lower(email), lower(name) from registrations where status <> 'cancelled' and email <> ''
        group by 1, 2, 3 having count(*) > 1`,
  )
  await broken(
    'the registrations of an order are of its event, and its first one has its id',
    sql`select o.id from orders o join registrations r on r.order_id = o.id
        where r.event_id <> o.event_id or r.club_id <> o.club_id group by o.id
        union all
        select r.id from registrations r where r.order_id > r.id`,
  )
  await broken(
    'each confirmed registration has its ticket mail',
    sql`select r.id from registrations r where r.status = 'confirmed' and r.email <> ''
        and not exists (select from mails m where m.registration_id = r.id and m.kind = 'ticket')`,
  )
  const lacksRow = (...actions: string[]) => sql`not exists (
    select from changes c where c.subject = 'registration' and c.subject_id = r.id and c.action = any(${actions}::text[])
  )`
  await broken(
    'each registration with a code has its row in the log',
    sql`select r.id from registrations r where r.code_id is not null and ${lacksRow('registered')}`,
  )
  await broken(
    // An import ends holds without one.
    'each cancelled registration has its row in the log, except for an ended hold',
    sql`select r.id, r.cancel_reason from registrations r
        where r.cancel_reason <> 'hold ended' and ${lacksRow('cancelled', 'given back', 'refund')}`,
  )
  await broken(
    'a mail is of the club of its registration or user',
    sql`select m.id from mails m left join registrations r on r.id = m.registration_id left join users u on u.id = m.user_id
        where m.club_id is distinct from coalesce(r.club_id, u.club_id)`,
  )
  await broken(
    'a check-in stands at the event of its registration',
    sql`select c.id from checkins c join registrations r on r.id = c.registration_id where c.event_id <> r.event_id`,
  )
  await broken('one check-in a registration', sql`select registration_id from checkins group by 1 having count(*) > 1`)
  await broken(
    'each check-in and each undoing has its row in the log',
    sql`select c.registration_id from checkins c left join changes l
        on l.subject = 'checkin' and l.subject_id = c.registration_id
        group by c.registration_id, c.status
        having count(*) filter (where l.action = 'checked in') - count(*) filter (where l.action = 'undone') <> c.status::int`,
  )
  await broken(
    'a voucher is sold as often as live registrations have it, and not more often than there are',
    sql`select x.id from extras x where x.sold_count <> (
          select count(*) from extras_purchases p join registrations r on r.id = p.registration_id
          where p.extras_id = x.id and r.status <> 'cancelled'
        ) or x.sold_count > x.max_quantity`,
  )
  await broken(
    'a voucher has its units, none redeemed more often than it is there, and says rightly whether it is used up',
    sql`select p.id from extras_purchases p left join purchase_units u on u.purchase_id = p.id group by p.id
        having count(u.*) = 0 or bool_or(u.redeemed not between 0 and u.quantity)
          or p.status <> bool_and(u.redeemed = u.quantity)`,
  )
  await broken(
    'who is to pay has a hold with an end, and one payment at most that can still be made',
    sql`select r.id from registrations r where r.status = 'pending' and (r.hold_expires_at is null or r.amount = 0 and r.order_id is null
        or (select count(*) from payments p where p.registration_id = r.id and p.status in ('starting', 'open')) > 1)`,
  )
  await broken(
    // Ignores disputed payments and those lost by a dispute, because the bank decides them, and money from the door of registrations
    // without a place, which people give back by hand.
    'each payment came to one confirmed registration or went back whole',
    sql`select p.id from payments p left join registrations r on r.id = p.registration_id
        left join events e on e.id = r.event_id
        where p.status = 'paid' and (p.taken_as is null or r.status = 'confirmed') and (p.dispute is null or p.dispute in ('won', 'warning_closed')) and not exists (select from refunds f where f.payment_id = p.id and f.status = 'failed')
        and (p.refunded = p.amount) = coalesce(
          r.status = 'confirmed' and e.status <> 'cancelled' and p.id = (
            select min(first.id) from payments first
            where first.registration_id = r.id and first.status = 'paid' and first.refunded < first.amount
          ), false
        )`,
  )
  await broken(
    'parts are paid with their lead',
    sql`select p.id from payments p join payments l on l.id = p.lead_id
        where p.status = 'paid' and l.status <> 'paid' or p.currency <> l.currency or p.dispute is distinct from l.dispute
          or l.lead_id is not null or p.status = 'starting' and l.status not in ('starting', 'open')`,
  )
  await broken(
    'what was given back is what was asked for',
    sql`select p.id from payments p where p.refunded < (select coalesce(sum(f.amount), 0) from refunds f where f.payment_id = p.id and f.status <> 'failed')`,
  )
}
