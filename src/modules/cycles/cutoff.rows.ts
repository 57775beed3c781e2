import type { Knex } from 'knex'
import type { Cutoff } from './cycle'

export const readCutoff = async (knex: Knex): Promise<Cutoff> => {
  const row = await knex('cycles.settings').first('cutoff_hour', 'cutoff_minute')
  return { hour: row.cutoff_hour, minute: row.cutoff_minute }
}

export const writeCutoff = async (knex: Knex, cutoff: Cutoff): Promise<void> => {
  await knex('cycles.settings').update({ cutoff_hour: cutoff.hour, cutoff_minute: cutoff.minute })
}
