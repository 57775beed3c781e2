import { allergenKeys } from '#contracts/allergens'
import { maxMedicalNoteLength, type Health } from '#contracts/health'

type Joinable = Pick<Health, 'allergies' | 'diet' | 'medicalNote' | 'noteConsent'>

/** One record of two: whatever either must not eat counts, and the diet is that of `into` where it has one. */
export const joinedHealth = (into: Joinable, from: Joinable): Joinable => ({
  allergies: joinedAllergies(into.allergies, from.allergies),
  diet: into.diet === 'none' ? from.diet : into.diet,
  ...joinedNote(into, from),
})

/**
 * Both notes where they fit and were given under the same consent, else one: the kitchen goes on seeing what it saw, and sees
 * nothing that it did not.
 */
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

/** Null (not declared) on both sides stays so. */
const joinedAllergies = (into: string[] | null, from: string[] | null): string[] | null => {
  if (into === null || from === null) return into ?? from
  const known = new Set(into.flatMap(allergenKeys))
  return [...into, ...from.filter((name) => !allergenKeys(name).every((key) => known.has(key)))]
}
