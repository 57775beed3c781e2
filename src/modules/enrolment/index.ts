import type { Knex } from 'knex'
import { unclaimedRetention } from '#modules/identity/index'
import type { ClaimedStudent } from '#modules/identity/published'
import type { By } from '#platform/event-store/command-handler'
import type { Module } from '#platform/module'
import { childrenCommands, childrenRoutes } from './children.routes'
import { tryingClaimCode } from './claims/claim-tries.commands'
import { claimCommands, claimWithin, claimCodeRetention } from './claims/claim.commands'
import { deletionCommands, deletionRoutes, officeDeletions } from './deletion/deletion.routes'
import { importCommands } from './import/import.commands'
import { rollImportRoutes, undoImportCommands } from './import/roll-import.routes'
import type { EnrolmentNeeds } from './ports'
import { promotionCommands, promotionRoutes, promotionRetention } from './promotion.routes'
import { enrolmentRefusals } from './refusals'
import { rollCommands } from './roll/edit-children.commands'
import { mergeCommands } from './roll/merge-children.commands'
import { importRetention } from './roll/roll-imports.rows'
import { rollRoutes } from './roll/roll.routes'

export const enrolmentModule = (needs: EnrolmentNeeds) => {
  const deletions = deletionCommands(needs)
  const module: Module = {
    name: 'enrolment',
    routes: [
      ...childrenRoutes(childrenCommands(needs)),
      ...rollRoutes({ ...rollCommands(needs), ...mergeCommands(needs) }, needs.database),
      ...promotionRoutes(promotionCommands(needs)),
      ...rollImportRoutes({
        ...importCommands(needs),
        ...undoImportCommands(needs),
        ...claimCommands(needs),
      }),
      ...deletionRoutes(officeDeletions(needs, deletions)),
    ],
    views: [],
    reactors: [],
    jobs: [],
    sweeps: [deletions.finishAll],
    retentions: [
      importRetention(needs),
      claimCodeRetention(needs),
      unclaimedRetention(needs),
      promotionRetention(needs),
    ],
    refusals: enrolmentRefusals,
  }
  return {
    ...module,
    claims: {
      trying: <Result>(
        from: { ip: string; userId: number | null },
        attempt: () => Promise<Result>,
      ): Promise<Result> => tryingClaimCode(needs, from, attempt),
      within: (
        transaction: Knex.Transaction,
        claim: { code: string; userId: number },
        by: By,
      ): Promise<ClaimedStudent[]> => claimWithin(needs, transaction, claim, by),
    },
    deleteAgain: deletions.deleteAgain,
  }
}

export type Enrolment = ReturnType<typeof enrolmentModule>
