import { login } from '#contracts/identity'
import { startIdentity } from './identity-server'
import { parent } from './people'

test('the log hears of each sign-in how it ended, by the number of the account, without name or password', async () => {
  const school = await startIdentity()
  const { id } = await parent(school, 'thandiwe')
  const attempt = (username: string, password: string) =>
    school.visitor().call(login, { body: { username, password } })
  await attempt('thandiwe', 'thandiwe-secret')
  await Promise.allSettled([attempt('thandiwe', 'a-guess'), attempt('nobody', 'a-guess')])
  const request = { requestId: expect.any(String) }
  expect(school.logged('signed in')).toEqual([{ ...request, userId: id, secondFactor: false }])
  const refused = school.logged('sign-in refused')
  expect(refused).toHaveLength(2)
  for (const userId of [id, null])
    expect(refused).toContainEqual({ ...request, userId, why: 'wrong_credentials' })
  expect(JSON.stringify([...school.logged('signed in'), ...refused])).not.toMatch(/thandiwe|nobody|guess/)
  await school.close()
})
