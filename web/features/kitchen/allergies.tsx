import type { ClassListEntry } from '#contracts/class-list'

type Health = Pick<ClassListEntry, 'allergies' | 'medicalNote'>

/** What a child is allergic to, in bold; none and not declared are told apart. */
export const Allergies = ({ allergies }: Pick<Health, 'allergies'>) => {
  if (allergies === null) return 'Allergies not declared'
  if (allergies.length === 0) return 'No allergies'
  return <strong className="text-danger-700">{`Allergies: ${allergies.join(', ')}`}</strong>
}

/** Whether anything is known of these children's health, be it that they have no allergies. */
export const isHealthKnown = (children: readonly Health[]): boolean =>
  children.some(({ allergies, medicalNote }) => allergies !== null || medicalNote !== null)
