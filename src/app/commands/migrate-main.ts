import { StartError } from '#platform/failures'
import { migrateDatabase, openDatabase } from '../../adapters/postgres/database'
import { readConfig } from '../config'
import { refuseArguments, runMain, say } from './command'

await runMain(async () => {
  refuseArguments('migrate takes nothing: npm run migrate')
  const { DATABASE_URL } = readConfig(process.env)
  if (!DATABASE_URL)
    throw new StartError('DATABASE_URL is not set: the embedded database is migrated by npm start.')
  const database = await openDatabase(DATABASE_URL)
  await migrateDatabase(database).finally(database.close)
  say('The database is up to date.')
})
