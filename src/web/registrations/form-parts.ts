// What many events do not need: vouchers, several ticket types, codes, and tickets for members. Loaded together, for those that do.
export { VoucherPicker } from '../extras/VoucherPicker.tsx'
export { CodeField } from './code/CodeField.tsx'
export { MemberField } from './member/MemberField.tsx'
export { TicketTypePicker } from './ticket-type/TicketTypePicker.tsx'
