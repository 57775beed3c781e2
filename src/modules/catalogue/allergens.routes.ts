import type { Knex } from 'knex'
import { allergenKeys, allergenWords } from '#contracts/allergens'
import { type BodyOf, type ReplyOf, listAfter } from '#contracts/endpoint'
import {
  foundAllergens,
  getAllergens,
  getAllergyRule,
  ruleSetting,
  type saveAllergens,
  saveAllergyRule,
  type AllergyRule,
} from '#contracts/health'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { route, signedIn, withFeature } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { inOneRow, settingsRoutes } from '#platform/settings'
import { refuseChanged, withVersion } from '#platform/versions'
import { decideAllergies, decideOwnAllergens, newWords, type Allergen } from './allergens.decide'
import { allergenWords as wordsOfItems } from './menu-items.rows'

export const allergenRoutes = (needs: Ports, commands: ReturnType<typeof allergenCommands>) => [
  route(getAllergens, signedIn, async () =>
    withVersion(listRecord, { allergens: await commands.allergens() }),
  ),

  route(foundAllergens, withFeature('settings'), async () => ({ found: await commands.foundAllergens() })),

  ...settingsRoutes(needs, {
    endpoints: [getAllergyRule, saveAllergyRule],
    readers: signedIn,
    stored: storedRule,
    what: 'Allergy rule changed',
  }),
]

const storedRule = inOneRow('catalogue.allergy_rule', ruleSetting)
const listRecord = 'settings:allergens'

const allergensWith = async (knex: Knex, words: readonly string[]): Promise<Allergen[]> => {
  const list = await readAllergens(knex)
  const found = newWords(list, words)
  if (found.length === 0) return list
  await adoptAllergens(knex, found)
  return readAllergens(knex)
}

export const allergenCommands = (needs: Ports) => {
  const { knex } = needs.database
  const words = () => wordsOfItems(knex)

  return {
    allergens: async (): Promise<string[]> =>
      (await allergensWith(knex, await words())).map(({ name }) => name),

    foundAllergens: async (): Promise<string[]> => {
      await allergensWith(knex, await words())
      return unseenAllergens(knex)
    },

    /** `declared` reads children's allergies. No history is kept: an own word may identify a child. */
    saveAllergens: async (
      { version, allergens: whole, add, remove }: BodyOf<typeof saveAllergens>,
      declared: (transaction: Knex.Transaction) => Promise<readonly string[]>,
      by: By,
    ): Promise<ReplyOf<typeof saveAllergens>> => {
      const onItems = await words()
      return knex.transaction(async (transaction) => {
        await lockAllergens(transaction)
        const list = await allergensWith(transaction, onItems)
        const before = { allergens: list.map(({ name }) => name) }
        const ownNames = list.flatMap(({ name, standard }) => (standard ? [] : [name]))
        const wanted = listAfter(ownNames, { whole, add, remove })
        const yours = {
          allergens: [...before.allergens.filter((name) => !ownNames.includes(name)), ...wanted],
        }
        await refuseChanged(transaction, { record: listRecord, version, now: before, yours })
        const used = [...onItems, ...(await declared(transaction))]
        const own = decideOwnAllergens(
          list,
          wanted,
          new Set(used.flatMap(allergenWords).flatMap(allergenKeys)),
        )
        await writeOwnAllergens(transaction, own)
        await recordChanges(transaction, { ...by, at: needs.now() }, [
          { kind: 'settings', what: 'List of allergens saved', old: null, new: null, record: listRecord },
        ])
        const saved = await readAllergens(transaction)
        return withVersion(listRecord, { allergens: saved.map(({ name }) => name) })
      })
    },

    /** In the list's spelling. Throws `allergen_unknown`. */
    writtenAllergies: async (
      transaction: Knex.Transaction,
      declared: readonly string[] | null,
    ): Promise<string[] | null> =>
      decideAllergies(await allergensWith(transaction, await wordsOfItems(transaction)), declared),

    readAllergyRule: async (): Promise<AllergyRule> =>
      (await storedRule.readPrepared(needs.database.reads)).rule,
  }
}

const allergens = (knex: Knex) => knex<Allergen & { id: number; unseen: boolean }>('catalogue.allergens')

const readAllergens = (knex: Knex): Promise<Allergen[]> =>
  allergens(knex)
    .select('name', 'key', 'standard')
    .orderByRaw('standard desc, case when standard then id end, key')

const lockAllergens = async (transaction: Knex.Transaction): Promise<void> => {
  await transaction.raw('lock table catalogue.allergens in share row exclusive mode')
}

const adoptAllergens = async (knex: Knex, found: readonly Allergen[]): Promise<void> => {
  await allergens(knex)
    .insert(found.map((one) => ({ ...one, unseen: true })))
    .onConflict('key')
    .ignore()
}

const unseenAllergens = (knex: Knex): Promise<string[]> =>
  allergens(knex).where({ unseen: true }).orderBy('key').pluck('name')

const writeOwnAllergens = async (transaction: Knex.Transaction, own: readonly Allergen[]): Promise<void> => {
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
