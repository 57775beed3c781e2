export {
  creditCharged,
  creditGiven,
  creditHeld,
  creditPaidOut,
  creditReleased,
  creditSpent,
  creditTakenBack,
  isOwedForCancelled,
} from './family-credit'
export { payoutCounted, type Leaving } from './daily-payouts'
export {
  creditGiftAsked,
  creditPayoutApproved,
  creditPayoutAsked,
  creditPayoutWithdrawn,
} from './payout-approval'
export { familyCredit, type CreditCommand } from './family-credit.decide'
export {
  changeOf,
  orderEntries,
  refundEntry,
  returned,
  isActive,
  type Charged,
  type CreditEvent,
  type FamilyCredit,
  type Given,
} from './family-credit'
export {
  absencesOf,
  activeAbsenceCredit,
  eatsAfterAll,
  entriesFor,
  activeCreditFor,
} from './given-for-orders'
