export type { Account } from './accounts/account'
export {
  decideNameByOffice,
  decideOwnChild,
  staffGrade,
  type ClaimedStudent,
  type Student,
} from './students/student.decide'
export { decideNoSecondGuardian } from './guardians/guardian.decide'
