import { allergenKeys } from '#contracts/allergens'
import { maxMedicalNoteLength, type Health } from '#contracts/health'

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
