// What many events do not need: vouchers, several ticket types, codes, tickets for members, and the sum of several tickets. Loaded together, for those that do.
export { VoucherPicker } from '../extras/VoucherPicker.tsx'
export { CodeField } from './code/CodeField.tsx'
export { MemberField } from './member/MemberField.tsx'
export { OrderSum } from './ticket-type/OrderSum.tsx'
export { TicketTypePicker } from './ticket-type/TicketTypePicker.tsx'
