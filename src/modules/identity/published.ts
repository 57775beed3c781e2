export type { Account } from './accounts/account'
export { decideNameByOffice, decideOwnChild, staffGrade } from './students/student.decide'
export type { ClaimedStudent, Student } from './students/student.decide'
export { decideNoSecondGuardian } from './guardians/guardian.decide'
