import { Refusal } from '#kernel/refusal'
import { StartError } from '#platform/failures'
import { keepSuperadminPassword } from '../service/secrets'
import { composeOffline, openForCommand, refuseArguments, runMain, say } from './command'

/** `npm run superadmin:reset`: a new password in a file only this user reads; ends all sessions. */
await runMain(async () => {
  refuseArguments('superadmin:reset takes nothing: npm run superadmin:reset')
  const { config, log, now, infrastructure } = await openForCommand()
  try {
    const password = await composeOffline(infrastructure, config, { log, now }).resetSuperadmin()
    const file = await keepSuperadminPassword(config.DATA_DIR, password)
    say(
      `superadmin has a new password, in ${file}. It must be changed at its first use; remove the file then.`,
    )
  } catch (error) {
    throw error instanceof Refusal ? new StartError(error.message) : error
  } finally {
    await infrastructure.close()
  }
})
