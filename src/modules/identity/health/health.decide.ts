import type { Health } from '#contracts/health'

type Joinable = Pick<Health, 'allergies' | 'diet' | 'medicalNote' | 'noteConsent'>

/** One record of two: whatever either must not eat counts, the rest is that of `into` where it says anything. */
export const joinedHealth = (into: Joinable, from: Joinable): Joinable => {
  const noted = into.medicalNote === '' ? from : into
  return {
    allergies: joinedAllergies(into.allergies, from.allergies),
    diet: into.diet === 'none' ? from.diet : into.diet,
    medicalNote: noted.medicalNote,
    noteConsent: noted.noteConsent,
  }
}

/** Names compare without regard to case; null (not declared) on both sides stays so. */
const joinedAllergies = (into: string[] | null, from: string[] | null): string[] | null => {
  if (into === null || from === null) return into ?? from
  const known = new Set(into.map((name) => name.toLowerCase()))
  return [...into, ...from.filter((name) => !known.has(name.toLowerCase()))]
}
