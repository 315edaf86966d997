import { sql } from 'kysely'
import type { Statistics } from '../../contract/statistics.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { unplanned } from '../db/planner.ts'
import type { Db } from '../db/schema.ts'

interface Day {
  at: Date
  registrations: number
  checkins: number
}

/** Live registrations and their check-ins by day of this zone, oldest first. */
export async function countByDay(db: Db, { id }: OwnEvent, timeZone: string): Promise<Day[]> {
  const { rows } = await sql<Day>`
    select date_trunc('day', at, ${timeZone}) as at, sum(registrations)::int as registrations, sum(checkins)::int as checkins
    from (
      -- First of all ticket types, since it takes long to tell the day in a time zone.
      select at, sum(registrations) as registrations, sum(checkins) as checkins from event_counts where event_id = ${id} group by 1
    ) counted
    group by 1 having sum(registrations) > 0 or sum(checkins) > 0 order by 1
  `.execute(db)
  return rows
}

/** Check-ins from one moment to another by five minutes, oldest first. */
export async function countArrivals(
  db: Db,
  { id }: OwnEvent,
  from: Date,
  to: Date,
): Promise<{ at: Date; checkins: number }[]> {
  const { rows } = await sql<{ at: Date; checkins: number }>`
    select at, sum(checkins)::int as checkins from event_counts where event_id = ${id} and at >= ${from} and at < ${to}
    group by at having sum(checkins) > 0 order by at
  `.execute(db)
  return rows
}

/** The vouchers of confirmed registrations by kind, in their order. */
export async function countVouchers(db: Db, { id }: OwnEvent): Promise<Statistics['vouchers']> {
  const { rows } = await sql<Statistics['vouchers'][number]>`
    select x.name, sum(c.sold)::int as sold, sum(c.redeemed)::int as redeemed
    from extras x join voucher_counts c on c.extras_id = x.id
    where x.event_id = ${id} group by x.id having sum(c.sold) > 0 order by x.position, x.id
  `.execute(db)
  return rows
}

/** The tickets of an event by type, in their order; none where it has only one type. */
export async function countTicketTypes(db: Db, { id }: OwnEvent): Promise<Statistics['ticketTypes']> {
  const { rows } = await sql<Statistics['ticketTypes'][number]>`
    select t.id, t.name, t.max_quantity, t.sold_count as sold, coalesce(sum(counted.checkins), 0)::int as checked_in,
      coalesce(sum(counted.amount), 0)::bigint as paid
    from ticket_types t left join (
      select ticket_type_id, sum(checkins) as checkins, sum(amount) as amount from event_counts where event_id = ${id} group by 1
      union all
      -- What registrations had to pay for vouchers was not for their tickets.
      select c.ticket_type_id, 0, -c.amount from extras x join voucher_counts c on c.extras_id = x.id where x.event_id = ${id}
    ) counted on counted.ticket_type_id = t.id or t.is_first and counted.ticket_type_id = 0
    where t.event_id = ${id} and (select count(*) from ticket_types where event_id = ${id}) > 1
    group by t.id order by t.removed_at is not null, t.position, t.id
  `.execute(db)
  return rows
}

/** The income of an event; null when nothing was ever paid. */
export async function sumIncome(db: Db, { id }: OwnEvent): Promise<Statistics['income']> {
  const { rows } = await sql<NonNullable<Statistics['income']>>`
    select sum(paid)::bigint as paid, sum(returned)::bigint as refunded, sum(lost)::bigint as lost, currency
    from income_counts where event_id = ${id} group by currency having sum(paid) > 0 order by 1 desc limit 1
  `.execute(db)
  return rows[0] ?? null
}

/** The income in this currency by day of this zone, oldest first. */
export async function sumIncomeByDay(
  db: Db,
  { id }: OwnEvent,
  currency: string,
  timeZone: string,
): Promise<Statistics['incomeByDay']> {
  const { rows } = await sql<Statistics['incomeByDay'][number]>`
    select date_trunc('day', at, ${timeZone}) as at, sum(paid)::bigint as paid, sum(refunded)::bigint as refunded, sum(lost)::bigint as lost
    from income_counts where event_id = ${id} and currency = ${currency}
    group by 1 having sum(paid) > 0 or sum(refunded) > 0 order by 1
  `.execute(db)
  return rows
}

/** How many registrations hold a seat and are not paid yet, and what they have to pay. */
export async function countUnpaid(db: Db, { id }: OwnEvent): Promise<Pick<Statistics, 'unpaidCount' | 'unpaidAmount'>> {
  const { rows } = await sql<Pick<Statistics, 'unpaidCount' | 'unpaidAmount'>>`
    select count(*)::int as unpaid_count, coalesce(sum(amount), 0)::bigint as unpaid_amount
    from registrations where event_id = ${unplanned(id)} and status = 'pending'
  `.execute(db)
  return rows[0] ?? { unpaidCount: 0, unpaidAmount: 0 }
}

/** How often each answer was given to each of these questions, and by how many people, in confirmed registrations, also those whose answers were deleted since. */
export async function countAnswers(
  db: Db,
  { id }: OwnEvent,
  questionIds: readonly number[],
): Promise<{ questionId: number; answer: string; count: number; answered: number }[]> {
  const { rows } = await sql<{ questionId: number; answer: string; count: number; answered: number }>`
    with given as materialized (
      select (each ->> 'qId')::int as question_id,
        case jsonb_typeof(each -> 'answer') when 'array' then each -> 'answer' else jsonb_build_array(each -> 'answer') end as answers
      from registrations cross join lateral jsonb_array_elements(others) as each
      where event_id = ${id} and status = 'confirmed' and (each ->> 'qId')::int = any(${questionIds}::int[])
        and jsonb_typeof(each -> 'answer') <> 'null' and each -> 'answer' not in ('[]', '""')
    ), each_answer as (
      select question_id, answer, count(*) as count
      from given cross join lateral jsonb_array_elements_text(answers) as answer group by 1, 2
      union all
      select question_id, null, count(*) from given group by 1
      union all
      select question_id, answer, count from erased_answers where question_id = any(${questionIds}::int[])
    ), counted as (select question_id, answer, sum(count)::int as count from each_answer group by 1, 2)
    select c.question_id, c.answer, c.count, people.count as answered
    from counted c join counted people on people.question_id = c.question_id and people.answer is null
    where c.answer is not null order by c.count desc, c.answer
  `.execute(db)
  return rows
}
