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
/** What waits for the approval of another administrator. */
export { creditPayoutApproved, creditPayoutAsked, creditPayoutWithdrawn } from './payout-approval'
