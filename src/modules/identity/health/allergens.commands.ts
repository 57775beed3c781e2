import type { Knex } from 'knex'
import { allergenKey, type AllergyRule } from '#contracts/eating'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { IdentityNeeds } from '../needs'
import { decideOwnAllergens, newWords, type Allergen } from './allergens.decide'
import {
  adoptAllergens,
  declaredAllergens,
  lockAllergens,
  readAllergens,
  unseenAllergens,
  writeOwnAllergens,
} from './allergens.rows'
import { readAllergyRule, writeAllergyRule } from './allergy-rule.rows'

type AllergenNeeds = Pick<IdentityNeeds, 'database' | 'now' | 'catalogue'>

/** The school's list, after these words of menu items that it lacked have become its own. */
export const allergensWith = async (knex: Knex, words: readonly string[]): Promise<Allergen[]> => {
  const list = await readAllergens(knex)
  const found = newWords(list, words)
  if (found.length === 0) return list
  await adoptAllergens(knex, found)
  return readAllergens(knex)
}

/** The school's list of allergens, and what happens where a child has one of a meal's. */
export const allergenCommands = (needs: AllergenNeeds) => {
  const { knex } = needs.database
  const words = needs.catalogue.allergenWords

  return {
    /** The names, the standard ones first. */
    allergens: async (): Promise<string[]> =>
      (await allergensWith(knex, await words())).map(({ name }) => name),

    /** Words that came from menu items since the office last saved its list. */
    foundAllergens: async (): Promise<string[]> => {
      await allergensWith(knex, await words())
      return unseenAllergens(knex)
    },

    /** Answers the whole list. What it was and is stands in no history: an own word may tell of one child. */
    saveAllergens: async (wanted: readonly string[], by: By): Promise<string[]> => {
      const onItems = await words()
      return knex.transaction(async (transaction) => {
        await lockAllergens(transaction)
        const list = await allergensWith(transaction, onItems)
        const used = [...onItems, ...(await declaredAllergens(transaction))]
        const own = decideOwnAllergens(list, wanted, new Set(used.map(allergenKey)))
        await writeOwnAllergens(transaction, own)
        await recordChanges(transaction, { ...by, at: needs.now() }, [
          { kind: 'settings', what: 'List of allergens saved', old: null, new: null },
        ])
        return (await readAllergens(transaction)).map(({ name }) => name)
      })
    },

    readAllergyRule: (): Promise<AllergyRule> => readAllergyRule(knex),

    saveAllergyRule: (rule: AllergyRule, by: By): Promise<void> =>
      knex.transaction(async (transaction) => {
        const before = await writeAllergyRule(transaction, rule)
        await recordChanges(transaction, { ...by, at: needs.now() }, [
          { kind: 'settings', what: 'Allergy rule changed', old: { rule: before }, new: { rule } },
        ])
      }),
  }
}
