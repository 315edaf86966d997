import type { Kysely, Selectable, Transaction } from 'kysely'
import type { ClubImportPartTable, ClubImportTable, MovedCodeTable } from './tables/club-files.ts'
import type {
  CheckinTable,
  DoorPhoneTable,
  RemovedTicketTable,
  ScanConflictTable,
  ScanTable,
  WalkInQuotaTable,
} from './tables/door.ts'
import type {
  ClubMemberTable,
  ClubTable,
  CodeTable,
  ErasedAnswerTable,
  EventCountTable,
  EventDescriptionTable,
  EventTable,
  FormerHolderTable,
  FormQuestionTable,
  MemberListTable,
  OrderTable,
  RegistrationTable,
  TicketTypeTable,
} from './tables/events.ts'
import type { MailAddressTable, MailStateTable, MailTable } from './tables/mail.ts'
import type { IncomeCountTable, PaymentTable, RefundTable, StripeEventTable } from './tables/payments.ts'
import type {
  ApiTokenTable,
  FormerUserTable,
  LimitCountTable,
  NewAddressTable,
  PasskeyChallengeTable,
  PasskeyTable,
  PasswordResetTable,
  RecoveryCodeTable,
  SecondFactorTable,
  ServerSecretTable,
  SessionTable,
  SignInPlaceTable,
  UnpaidHoldTable,
  UsedProofTable,
  UserTable,
} from './tables/people.ts'
import type {
  BackupStateTable,
  ChangeTable,
  ImageOrphanTable,
  InstallationTable,
  JobTable,
  PageTable,
} from './tables/platform.ts'
import type { ExtrasPurchaseTable, ExtrasTable, PurchaseUnitTable, VoucherCountTable } from './tables/vouchers.ts'
import type { WebhookDeliveryTable, WebhookTable } from './tables/webhooks.ts'

export interface Schema {
  users: UserTable
  formerUsers: FormerUserTable
  sessions: SessionTable
  apiTokens: ApiTokenTable
  secondFactors: SecondFactorTable
  passkeys: PasskeyTable
  passkeyChallenges: PasskeyChallengeTable
  recoveryCodes: RecoveryCodeTable
  limitCounts: LimitCountTable
  serverSecrets: ServerSecretTable
  usedProofs: UsedProofTable
  unpaidHolds: UnpaidHoldTable
  signInPlaces: SignInPlaceTable
  clubs: ClubTable
  events: EventTable
  eventDescriptions: EventDescriptionTable
  eventCounts: EventCountTable
  ticketTypes: TicketTypeTable
  codes: CodeTable
  memberLists: MemberListTable
  clubMembers: ClubMemberTable
  orders: OrderTable
  formerHolders: FormerHolderTable
  formQuestions: FormQuestionTable
  erasedAnswers: ErasedAnswerTable
  registrations: RegistrationTable
  checkins: CheckinTable
  scans: ScanTable
  scanConflicts: ScanConflictTable
  removedTickets: RemovedTicketTable
  doorPhones: DoorPhoneTable
  walkInQuotas: WalkInQuotaTable
  mails: MailTable
  mailAddresses: MailAddressTable
  mailState: MailStateTable
  changes: ChangeTable
  passwordResets: PasswordResetTable
  newAddresses: NewAddressTable
  pages: PageTable
  extras: ExtrasTable
  extrasPurchases: ExtrasPurchaseTable
  purchaseUnits: PurchaseUnitTable
  voucherCounts: VoucherCountTable
  payments: PaymentTable
  refunds: RefundTable
  incomeCounts: IncomeCountTable
  stripeEvents: StripeEventTable
  installation: InstallationTable
  imageOrphans: ImageOrphanTable
  jobs: JobTable
  backupState: BackupStateTable
  clubImports: ClubImportTable
  clubImportParts: ClubImportPartTable
  movedCodes: MovedCodeTable
  webhooks: WebhookTable
  webhookDeliveries: WebhookDeliveryTable
}

export type Db = Kysely<Schema>
/** A function that takes this must run inside a transaction. */
export type Tx = Transaction<Schema>

export type UserRow = Selectable<UserTable>
export type ApiTokenRow = Selectable<ApiTokenTable>
export type ClubRow = Selectable<ClubTable>
export type EventRow = Selectable<EventTable>
export type TicketTypeRow = Selectable<TicketTypeTable>
export type CodeRow = Selectable<CodeTable>
export type MemberListRow = Selectable<MemberListTable>
export type ClubImportRow = Selectable<ClubImportTable>
export type FormQuestionRow = Selectable<FormQuestionTable>
export type FormerHolderRow = Selectable<FormerHolderTable>
export type RegistrationRow = Selectable<RegistrationTable>
export type CheckinRow = Selectable<CheckinTable>
export type ExtrasRow = Selectable<ExtrasTable>
export type PaymentRow = Selectable<PaymentTable>
export type RefundRow = Selectable<RefundTable>
export type ScanConflictRow = Selectable<ScanConflictTable>
export type MailRow = Selectable<MailTable>
export type JobRow = Selectable<JobTable>
export type WebhookRow = Selectable<WebhookTable>
export type WebhookDeliveryRow = Selectable<WebhookDeliveryTable>
