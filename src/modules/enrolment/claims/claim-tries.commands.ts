import type { Knex } from 'knex'
import { v5 } from 'uuid'
import { forAnyAddress } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { schoolMoment } from '#kernel/school-time'
import { callerKey, countingFailures, type Budget } from '#platform/http/rate-limits'
import type { RateLimit } from '#platform/http/route'
import type { EnrolmentNeeds } from '../ports'

// More letters than anyone holds; there are seventeen thousand million codes.
const perAccount: RateLimit = { name: 'claim', points: 10, seconds: 900 }
const perAddress: RateLimit = { name: 'claim-address', points: 50, seconds: 3600 }
const perSchool: RateLimit = { name: 'claim-school', points: 500, seconds: 3600 }
/** More wrong codes per hour than typing mistakes. */
const alarm: RateLimit = { name: 'claim-alarm', points: 50, seconds: 3600 }

const isWrongCode = (error: unknown) => error instanceof Refusal && error.code === 'claim_code_wrong'

/** Limits wrong codes by account (null while registering), address and school; superadmins hear once a day. */
export const tryingClaimCode = async <Result>(
  needs: EnrolmentNeeds,
  { ip, userId }: { ip: string; userId: number | null },
  attempt: () => Promise<Result>,
): Promise<Result> => {
  const budgets: Budget[] = [
    ...(userId === null ? [] : [[perAccount, `user:${userId}`] as const]),
    [perAddress, callerKey(ip)],
    [perSchool, 'school'],
  ]
  try {
    return await countingFailures(needs.rateLimits, budgets, isWrongCode, attempt)
  } catch (error) {
    if (isWrongCode(error)) await countWrongCode(needs, userId)
    throw error
  }
}

const countWrongCode = async (needs: EnrolmentNeeds, userId: number | null): Promise<void> => {
  needs.log?.warn({ userId }, 'claim code refused')
  if (needs.rateLimits === 'off' || (await needs.rateLimits(alarm, 'school')) === 0) return
  needs.log?.error({ userId }, 'somebody guesses claim codes')
  await tellSuperadmins(needs)
}

const alarmNamespace = 'b2b4a1a4-5a0f-4f0e-9a55-3f6b6f1b7c52'

const tellSuperadmins = (needs: EnrolmentNeeds): Promise<void> =>
  needs.messaging.withMail(async (transaction, post) => {
    const day = schoolMoment(needs.now(), needs.zone).date
    const text =
      `more than ${alarm.points} wrong claim codes were tried within an hour today. Somebody may be guessing them. ` +
      'Wrong codes are limited; docs/operations.md says what else can be done.'
    const message = forAnyAddress({ subject: 'Somebody may be guessing claim codes', text })
    const idOf = (userId: number) => v5(`${day}/${userId}`, alarmNamespace)
    await needs.messaging.postToSuperadmins(transaction, post)(message, idOf)
  })

export type ClaimCodeRow = { studentId: number; hash: string; expiresAt: Date }

export const claimCodeRows = (knex: Knex) => {
  const codes = () => knex<ClaimCodeRow>('enrolment.claim_codes')
  return {
    all: (): Promise<ClaimCodeRow[]> => codes(),

    put: async (rows: readonly ClaimCodeRow[]): Promise<void> => {
      if (rows.length === 0) return
      await codes()
        .insert([...rows])
        .onConflict('studentId')
        .merge()
    },

    /** Empty for an invalid code; a code works once. */
    take: async (hashes: readonly string[], at: Date): Promise<number[]> => {
      const taken = await codes()
        .whereIn('hash', [...hashes])
        .where('expiresAt', '>', at)
        .delete()
        .returning('studentId')
      return taken.map(({ studentId }) => studentId)
    },

    removeOf: async (studentIds: readonly number[]): Promise<void> => {
      await codes()
        .whereIn('studentId', [...studentIds])
        .delete()
    },
  }
}
