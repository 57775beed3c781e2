export type { Account } from './users/account.decide'
export {
  decideNameByOffice,
  decideOwnChild,
  staffGrade,
  type ClaimedStudent,
  type RollChild,
  type Student,
  decideNoSecondGuardian,
} from './students/student.decide'
