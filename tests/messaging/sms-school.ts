import {
  type MessageSettings,
  confirmPhone,
  saveMessageSettings,
  saveUserMessages,
  verifyPhone,
} from '#contracts/messages'
import { africasTalking } from '../../src/adapters/sms'
import { type IdentityServer, startIdentity } from '../identity/identity-server'
import { parent, signedIn } from '../identity/people'
import { answering, smsGateway } from '../support/sms-gateway'

const message = {
  subject: 'Your meals are ordered',
  text: 'Nshima for Chanda',
  bareText: 'A meal',
  short: '1 meal (Tue 15 Sept) ordered.',
}

/** A server for the tests of this scope, with a gateway that takes SMS; both begin each test without messages. */
export const smsSchool = () => {
  const made = {} as { gateway: Awaited<ReturnType<typeof smsGateway>>; school: IdentityServer }
  beforeAll(async () => {
    made.gateway = await smsGateway()
    const { url } = made.gateway
    const sms = africasTalking({ url, username: 'baobab', apiKey: 'k', from: 'LUNCH', timeoutMs: 1_000 })
    made.school = await startIdentity({ sms, superadminPassword: 'a-long-password' })
    await made.school.identity.ensureSuperadmin()
    await made.school.database.pool.query(
      `update identity.users set email = 'head@example.org' where "isSuperadmin"`,
    )
  })
  afterAll(async () => {
    await made.school.close()
    await made.gateway.close()
  })
  beforeEach(async () => {
    made.gateway.behaves = answering(101)
    await settings({})
    await made.school.runJobs()
    made.gateway.takenSince()
    made.school.world.mails.length = 0
  })

  /** Days pass here, and an administrator's session ends within one. */
  const settings = async (more: Partial<MessageSettings>) => {
    const office = await signedIn(made.school, 'superadmin', 'a-long-password')
    return office.call(saveMessageSettings, {
      body: { sms: true, dailyCeiling: 1_000, orderWithPhone: false, reminders: false, ...more },
    })
  }

  const codeSent = async () => {
    await made.school.runJobs()
    return /^\d{6}/.exec(made.gateway.takenSince().at(-1)!.message)![0]
  }

  /** Somebody with a verified phone who wants SMS. */
  const reachedBySms = async (username: string, more: { email?: string } = {}) => {
    const family = await parent(made.school, username, { phone: '0971 234 567', ...more })
    await family.client.call(verifyPhone)
    await family.client.call(confirmPhone, { body: { code: await codeSent() } })
    await family.client.call(saveUserMessages, { body: { channel: 'sms', reminders: true } })
    await made.school.runJobs()
    made.school.world.mails.length = 0
    return family
  }

  const written = async (userId: number) =>
    (
      await made.school.database.pool.query(
        `select "sentAt" is not null as sent, "givenUpAt" is not null as "givenUp", unclear, attempts, failure
       from messaging.mail_outbox where "userId" = $1 and channel = 'sms' and subject = $2`,
        [userId, message.subject],
      )
    ).rows

  const nextTry = async (minutes: number) => {
    made.school.minutesPass(minutes)
    await made.school.sweep()
    return made.school.runJobs()
  }

  return {
    get gateway() {
      return made.gateway
    },
    get school() {
      return made.school
    },
    message,
    settings,
    codeSent,
    reachedBySms,
    written,
    nextTry,
  }
}
