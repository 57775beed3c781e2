import type { Knex } from 'knex'
import type { Allergen } from './allergens.decide'

const allergens = (knex: Knex) => knex<Allergen & { id: number; unseen: boolean }>('identity.allergens')

/** The school's list: the standard ones in their order, then its own by name. */
export const readAllergens = (knex: Knex): Promise<Allergen[]> =>
  allergens(knex)
    .select('name', 'key', 'standard')
    .orderByRaw('standard desc, case when standard then id end, key')

/** Makes other writers of the list wait until this transaction ends; readers do not. */
export const lockAllergens = async (transaction: Knex.Transaction): Promise<void> => {
  await transaction.raw('lock table identity.allergens in share row exclusive mode')
}

/** Words of menu items that become the school's own; one that is there already stays as it is. */
export const adoptAllergens = async (knex: Knex, found: readonly Allergen[]): Promise<void> => {
  await allergens(knex)
    .insert(found.map((one) => ({ ...one, unseen: true })))
    .onConflict('key')
    .ignore()
}

/** The adopted ones that the office has not seen, by name. */
export const unseenAllergens = (knex: Knex): Promise<string[]> =>
  allergens(knex).where({ unseen: true }).orderBy('key').pluck('name')

/** These and no others are the school's own from now on, and the office has seen them. */
export const writeOwnAllergens = async (
  transaction: Knex.Transaction,
  own: readonly Allergen[],
): Promise<void> => {
  const kept = own.map(({ key }) => key)
  await allergens(transaction)
    .where({ standard: false })
    .whereRaw('not key = any(?::text[])', [kept])
    .delete()
  if (own.length === 0) return
  await allergens(transaction)
    .insert(own.map((one) => ({ ...one, unseen: false })))
    .onConflict('key')
    .merge(['name', 'unseen'])
}

/** What children are declared to be allergic to, each spelling once; never whose it is. */
export const declaredAllergens = async (knex: Knex): Promise<string[]> => {
  const rows: { name: string }[] = await knex('identity.student_health').distinct(
    knex.raw('unnest(allergies) as name'),
  )
  return rows.map(({ name }) => name)
}
