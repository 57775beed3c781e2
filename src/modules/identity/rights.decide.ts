import { refuse } from './refusals'

type Asker = { userId: number; role: string; features: readonly string[]; isSuperadmin: boolean }

/** The features one administrator hands to another, each once; nobody hands out what they lack. */
export const decideGrant = <Feature extends string>(
  granter: Asker,
  wanted: readonly Feature[],
): Feature[] => {
  const lacking = wanted.filter((feature) => !granter.isSuperadmin && !granter.features.includes(feature))
  if (lacking.length > 0)
    throw refuse('feature_not_held', `You cannot grant features you do not hold: ${lacking.join(', ')}`)
  return [...new Set(wanted)]
}

/** Whose child is added: a parent's own whatever id was sent; an administrator of parents names the parent. */
export const decideParentOf = (asker: Asker, named: number | undefined): number => {
  if (asker.role === 'parent') return asker.userId
  if (asker.role !== 'admin' || !(asker.isSuperadmin || asker.features.includes('parents_students')))
    throw refuse('feature_required', 'You do not have permission to add students')
  if (named === undefined) throw refuse('parent_required', 'Choose the parent of this student')
  return named
}
