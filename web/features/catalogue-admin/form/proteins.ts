import { commonProteins } from '#contracts/catalogue'

/** A custom protein as it is kept: trimmed and in lower case. */
export const proteinName = (typed: string): string => typed.trim().toLowerCase()

/** The chosen proteins with the typed one added; null when it is empty or already there. */
export const withProtein = (chosen: string[], typed: string): string[] | null => {
  const name = proteinName(typed)
  return name === '' || chosen.includes(name) ? null : [...chosen, name]
}

/** Every protein the form offers: the common ones, then the custom ones in the order they were added. */
export const offeredProteins = (chosen: string[]): string[] => [
  ...commonProteins,
  ...chosen.filter((protein) => !isCommon(protein)),
]

const isCommon = (protein: string): boolean => (commonProteins as readonly string[]).includes(protein)

/** A side dish typed into the list: empty text and repeats change nothing. */
export const withSideDish = (sides: string[], typed: string): string[] => {
  const name = typed.trim()
  const known = sides.some((side) => side.toLowerCase() === name.toLowerCase())
  return name === '' || known ? sides : [...sides, name]
}
