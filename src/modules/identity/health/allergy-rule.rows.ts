import type { Knex } from 'knex'
import type { AllergyRule } from '#contracts/eating'

const settings = (knex: Knex) => knex<{ rule: AllergyRule }>('identity.allergy_rule')

/** What happens to a meal with an allergen of the child, as it is set now. */
export const readAllergyRule = async (knex: Knex): Promise<AllergyRule> =>
  (await settings(knex).first('rule'))!.rule

/** Answers the rule before. */
export const writeAllergyRule = async (
  transaction: Knex.Transaction,
  rule: AllergyRule,
): Promise<AllergyRule> => {
  const before = await settings(transaction).forUpdate().first('rule')
  await settings(transaction).update({ rule })
  return before!.rule
}
