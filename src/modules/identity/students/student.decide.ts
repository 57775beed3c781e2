import { refuse } from '../refusals'
import { allergenKeys } from '#contracts/allergens'
import { maxMedicalNoteLength, type Health } from '#contracts/health'

/** Staff order for themselves. */
export const staffGrade = 'teacher'

/** A child or the staff entry of `userId`, null while unclaimed. */
export type Student = {
  id: number
  userId: number | null
  name: string
  grade: string
  class: string | null
  admissionNumber: string | null
}

export type ClaimedStudent = Student & { userId: number }

export const isClaimed = (student: Student): student is ClaimedStudent => student.userId !== null

/** Administrators may exceed the setting. */
export const decideAnotherChild = (childCount: number, most: number): void => {
  if (childCount >= most)
    throw refuse(
      'too_many_children',
      `You can add ${most} children yourself. Please ask the school office to add more.`,
    )
}

/** Administrators must enter more than one letter, unlike parents. */
export const decideNameByOffice = (name: string): void => {
  const tooShort = 'Name must be at least 2 characters'
  if (name.length < 2) throw refuse('name_too_short', tooShort, { fields: { name: tooShort } })
}

/** Others' children are not found; staff entries cannot change. */
export const decideOwnChild = (student: Student | undefined, userId: number): ClaimedStudent => {
  if (!student || !isClaimed(student) || student.userId !== userId)
    throw refuse('student_not_found', 'Student not found')
  if (student.grade === staffGrade)
    throw refuse('staff_account', 'A staff account cannot be edited or deleted')
  return student
}

type Orderer = { id: number; role: string }

/** Parents: own and second-guardian students; teachers: their entry; nobody after leaving. */
export const mayOrderFor = (
  user: Orderer,
  student: Pick<Student, 'userId' | 'grade'>,
  { isSecondGuardian, hasLeft }: { isSecondGuardian: boolean; hasLeft: boolean },
): boolean => {
  if (hasLeft || (student.userId !== user.id && !isSecondGuardian)) return false
  if (user.role === 'teacher') return student.userId === user.id && student.grade === staffGrade
  return user.role === 'parent'
}

type Joinable = Pick<Health, 'allergies' | 'diet' | 'medicalNote' | 'noteConsent'>

/** Union of allergies; `into`'s diet if any. */
export const joinedHealth = (into: Joinable, from: Joinable): Joinable => ({
  allergies: joinedAllergies(into.allergies, from.allergies),
  diet: into.diet === 'none' ? from.diet : into.diet,
  ...joinedNote(into, from),
})

/** Joins notes that fit under equal consent; else one, so that the kitchen sees no more and no less. */
const joinedNote = (into: Joinable, from: Joinable): Pick<Joinable, 'medicalNote' | 'noteConsent'> => {
  const [kept, other] = isKeptBefore(from, into) ? [from, into] : [into, from]
  const { medicalNote, noteConsent } = kept
  const both = `${medicalNote}; ${other.medicalNote}`
  const isOneMore = other.medicalNote !== '' && other.medicalNote !== medicalNote
  const isJoined = isOneMore && other.noteConsent === noteConsent && both.length <= maxMedicalNoteLength
  return { medicalNote: isJoined ? both : medicalNote, noteConsent }
}

const isKeptBefore = (one: Joinable, other: Joinable): boolean =>
  one.medicalNote !== '' && (other.medicalNote === '' || (one.noteConsent && !other.noteConsent))

/** Undeclared on both sides stays null. */
const joinedAllergies = (into: string[] | null, from: string[] | null): string[] | null => {
  if (into === null || from === null) return into ?? from
  const known = new Set(into.flatMap(allergenKeys))
  return [...into, ...from.filter((name) => !allergenKeys(name).every((key) => known.has(key)))]
}
