import { dayAndMonth } from '../../lib/format'
import type { PlanRow } from './suggest-week'

/** What a parent should know of a chosen meal: when the child had it, what is in it, how the protein is made. */
export const mealNotes = ({ meal: { item }, protein, lastOrderedOn }: PlanRow): string[] => [
  ...(lastOrderedOn ? [`Same as ${dayAndMonth(lastOrderedOn)}`] : []),
  ...(item.allergens.length > 0 ? [`Contains ${item.allergens.join(', ').toLowerCase()}`] : []),
  ...(item.proteinDescriptions[protein] ? [item.proteinDescriptions[protein]] : []),
]
