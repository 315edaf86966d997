import * as z from 'zod/mini'

/** How an unpaid ticket is paid at the door: in notes and coins, or at a card terminal of the club's own. */
export const doorWay = z.enum(['cash', 'terminal'])
export type DoorWay = z.output<typeof doorWay>
