/** The events that other contexts may read: what a family was given, holds, has spent, and got paid out; and what an entry is for. */
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
export { outflowCounted, type Leaving } from './outflow'
/** What waits for the approval of another administrator. */
export {
  creditGiftAsked,
  creditPayoutApproved,
  creditPayoutAsked,
  creditPayoutWithdrawn,
} from './payout-approval'
/** A family's stream and what its entries are called, for whoever settles what orders and refunds owe it. */
export { familyCredit, type CreditCommand } from './family-credit.decide'
export {
  changeOf,
  orderEntries,
  refundEntry,
  returned,
  stands,
  type Charged,
  type CreditEvent,
  type FamilyCredit,
  type Given,
} from './family-credit'
export { absencesOf, absenceStandingFor, eatsAfterAll, entriesFor, standingFor } from './given-for-orders'
