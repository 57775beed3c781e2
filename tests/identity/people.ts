import { currentUser, login, register, verifyEmail } from '#contracts/identity'
import type { Client } from '../../src/app/demo/client'
import type { IdentityServer } from './identity-server'

/** What a refused call comes to. */
export const refusal = (status: number, code: string, more: object = {}) =>
  expect.objectContaining({ status, body: expect.objectContaining({ code, ...more }) })

/** Somebody who registered and is signed in. */
export const parent = async (
  school: IdentityServer,
  username: string,
  more: { email?: string; phone?: string; name?: string } = {},
): Promise<{ client: Client; id: number }> => {
  const client = school.visitor()
  const body = { username, password: `${username}-secret`, name: `${username} Banda`, ...more }
  const { id } = await client.call(register, { body })
  return { client, id }
}

/** The same, whose email address is verified: the link of the mail was opened and its button pressed. */
export const verifiedParent = async (
  school: IdentityServer,
  username: string,
  more: { email: string; name?: string },
): Promise<{ client: Client; id: number }> => {
  const registered = await parent(school, username, more)
  await school.runJobs()
  const link = new URL(/https:\S+/.exec(school.world.mails.pop()!.text)![0])
  await registered.client.call(verifyEmail, { body: { token: link.searchParams.get('token')! } })
  return registered
}

export const signedIn = async (
  school: IdentityServer,
  username: string,
  password = `${username}-secret`,
  code?: string,
): Promise<Client> => {
  const client = school.visitor()
  await client.call(login, { body: { username, password, code } })
  return client
}

export const isSignedIn = (client: Client): Promise<boolean> =>
  client.call(currentUser).then(
    () => true,
    () => false,
  )
