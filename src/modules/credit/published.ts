/** The events that other contexts may read: what a family was given, holds, has spent, and got paid out. */
export {
  creditCharged,
  creditGiven,
  creditHeld,
  creditPaidOut,
  creditReleased,
  creditSpent,
  creditTakenBack,
} from './family-credit'
