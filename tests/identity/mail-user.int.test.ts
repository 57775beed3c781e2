import { type IdentityServer, startIdentity } from './identity-server'
import { parent, verifiedParent } from './people'

let school: IdentityServer
beforeEach(async () => {
  school = await startIdentity()
})
afterEach(() => school.close())

const message = {
  subject: 'How to pay',
  text: 'Please pay K45.50 for Chanda.',
  bareText: 'Please pay K45.50.',
}

test('a user is written a letter, once for one id', async () => {
  const { id } = await verifiedParent(school, 'mwila', { email: 'mwila@example.com' })
  school.world.mails.length = 0
  expect(await school.identity.mailUser(id, message, 'attempt-1')).toBe(true)
  expect(await school.identity.mailUser(id, message, 'attempt-1')).toBe(true)
  await school.runJobs()
  expect(await school.identity.mailUser(id, message, 'attempt-1')).toBe(true)
  await school.runJobs()
  expect(school.world.mails).toEqual([
    expect.objectContaining({
      to: 'mwila@example.com',
      subject: 'How to pay',
      text: 'Dear mwila Banda,\n\nPlease pay K45.50 for Chanda.\n\nLog in at https://lunch.example.com\n\nKind regards,\nBaobab School\n',
    }),
  ])
  await school.identity.mailUser(id, message, 'attempt-2')
  await school.runJobs()
  expect(school.world.mails).toHaveLength(2)
})

test('an address that was not verified gets no name and no text that people typed', async () => {
  const { id } = await parent(school, 'mwila', { email: 'victim@example.com' })
  await school.identity.mailUser(id, message, 'attempt-1')
  await school.runJobs()
  expect(school.world.mails.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Good day,\n\nplease confirm /),
    'Good day,\n\nPlease pay K45.50.\n\nLog in at https://lunch.example.com\n\nKind regards,\nBaobab School\n',
  ])
})

test('who has no address, or no account, is written nothing', async () => {
  const { id } = await parent(school, 'chola')
  expect(await school.identity.mailUser(id, message, 'attempt-1')).toBe(false)
  expect(await school.identity.mailUser(999_999, message, 'attempt-1')).toBe(false)
  expect(school.world.queue).toEqual([])
})
