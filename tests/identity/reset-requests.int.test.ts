import { forgotPassword } from '#contracts/identity'
import { type IdentityServer, startIdentity } from './identity-server'
import { parent } from './people'

let school: IdentityServer
beforeEach(async () => {
  school = await startIdentity()
  await parent(school, 'mwila', { email: 'mwila@example.com' })
  await parent(school, 'nomail')
  await school.runJobs()
  school.world.mails.length = 0
})
afterEach(() => school.close())

const ask = (identifier: string) => school.visitor().call(forgotPassword, { body: { identifier } })
const requests = async () => (await school.database.pool.query('select * from identity.reset_requests')).rows
const passwordMails = () => school.world.mails.map(({ to, subject }) => [to, subject])
const mailed = [['mwila@example.com', 'Your temporary password for Baobab School']]

test('what is done before the answer is the same for an account, for one without an address and for nobody', async () => {
  const statements: string[] = []
  school.database.knex.on('query', ({ sql }: { sql: string }) => statements.push(sql))
  const workFor = async (identifier: string) => {
    await ask(identifier)
    const work = { statements: statements.splice(0), jobs: school.world.queue.map(({ name }) => name) }
    await school.runJobs()
    statements.length = 0
    return work
  }
  const forNobody = await workFor('nobody')
  expect(forNobody).toEqual({
    statements: [expect.stringMatching(/^insert into "identity"."reset_requests"/)],
    jobs: ['answer-password-reset'],
  })
  expect(await workFor('mwila')).toEqual(forNobody)
  expect(await workFor('nomail')).toEqual(forNobody)
  expect(passwordMails()).toEqual(mailed)
})

test('a request is answered once, however often its job runs, and then forgotten', async () => {
  await ask('mwila')
  const [job] = school.world.queue
  school.world.queue.push(job!)
  expect(await school.runJobs()).toBe(0)
  expect(passwordMails()).toEqual(mailed)
  expect(await requests()).toEqual([])
})

test('two requests of one moment are one temporary password: the second would void the first', async () => {
  await ask('mwila')
  await ask('mwila@example.com')
  await Promise.all([school.runJobs(), school.runJobs()])
  expect(passwordMails()).toEqual(mailed)
})

test('with the queue away the answer is the same, and the sweep finds the request after half a minute', async () => {
  school.world.queueIsDown = true
  await ask('mwila')
  school.world.queueIsDown = false
  await school.sweep()
  expect(school.world.queue).toEqual([])
  school.minutesPass(0.5)
  await school.sweep()
  await school.sweep()
  expect(school.world.queue).toHaveLength(1)
  await school.runJobs()
  expect(passwordMails()).toEqual(mailed)
})

test('a request whose job was lost or failed is asked about again with a job id of its own', async () => {
  await ask('mwila')
  const ids = school.world.queue.splice(0).map(({ id }) => id)
  for (let round = 0; round < 2; round += 1) {
    school.minutesPass(1)
    await school.sweep()
    ids.push(...school.world.queue.splice(0).map(({ id }) => id))
  }
  expect(new Set(ids).size).toBe(3)
  expect(await requests()).toHaveLength(1)
})
