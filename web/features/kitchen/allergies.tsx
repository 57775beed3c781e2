import type { ClassListEntry } from '#contracts/class-list'
import { dietWords } from '../../lib/diet-words'

type Health = Pick<ClassListEntry, 'allergies' | 'diet' | 'medicalNote'>

/** What a child is allergic to, in bold; none and not declared are told apart. */
export const Allergies = ({ allergies }: Pick<Health, 'allergies'>) => {
  if (allergies === null) return 'Allergies not declared'
  if (allergies.length === 0) return 'No allergies'
  return <strong className="text-danger-700">{`Allergies: ${allergies.join(', ')}`}</strong>
}

/** Whether anything is known of these children's health, be it that they have no allergies. */
export const isHealthKnown = (children: readonly Health[]): boolean =>
  children.some(
    ({ allergies, diet, medicalNote }) => allergies !== null || diet !== 'none' || medicalNote !== null,
  )

/** A special diet, in bold; nothing where there is none. */
export const DietOf = ({ diet }: Pick<Health, 'diet'>) =>
  diet === 'none' ? null : <strong>{`Diet: ${dietWords[diet]}`}</strong>
