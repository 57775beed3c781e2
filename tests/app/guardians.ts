import { acceptGuardianInvite, inviteGuardian } from '#contracts/accounts'
import { addStudent, currentUser, verifyEmail, type Student } from '#contracts/identity'
import { CallRefused, type Client } from '../../src/app/demo/client'
import type { Canteen } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'

export type Person = { client: Client; userId: number; email: string }

/** `ok`, or the code of the refusal: of the first line, where lines were refused. */
export const answerOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'ok',
    (error: unknown) => {
      if (!(error instanceof CallRefused)) throw error
      const { code, lines } = error.body as { code: string; lines?: { code: string }[] }
      return lines?.[0]?.code ?? code
    },
  )

const accept = (client: Client, token: string) => client.call(acceptGuardianInvite, { params: { token } })

/** People of a school who become guardians of one another's children by its mails. */
export const guardiansOf = (canteen: Canteen) => {
  const followed = new Set<string>()

  const confirm = async (client: Client, email: string): Promise<void> => {
    const { text } = await mailTo(canteen, email, 'Please confirm')
    const { searchParams } = new URL(/http\S+verify-email\S+/.exec(text)![0])
    await client.call(verifyEmail, { body: { token: searchParams.get('token')! } })
  }

  const person = async (username: string): Promise<Person> => {
    const email = `${username}@example.org`
    const client = await canteen.parent(username, { email })
    await confirm(client, email)
    return { client, userId: (await client.call(currentUser)).id, email }
  }

  /** A parent with a small child, who eats for nothing, and a big one. */
  const firstGuardian = async (username: string) => {
    const first = await person(username)
    const childOf = (name: string, grade: '3' | '9') =>
      first.client.call(addStudent, { body: { name: `${name} of ${username}`, grade } })
    return { first, small: await childOf('Chipo', '3'), big: await childOf('Taonga', '9') }
  }

  /** The secret in the link of a new invitation. */
  const invited = async (first: Client, child: Student, email: string): Promise<string> => {
    await first.call(inviteGuardian, { params: { id: child.id }, body: { email } })
    return eventually(async () => {
      const { text } = await mailTo(canteen, email, 'You are invited')
      const token = /\/guardian-invite\/([\w-]+)/.exec(text)![1]!
      if (followed.has(token)) return false
      followed.add(token)
      return token
    })
  }

  const becomeSecond = async (first: Person, second: Person, ...children: Student[]): Promise<void> => {
    for (const child of children)
      await accept(second.client, await invited(first.client, child, second.email))
  }

  return { confirm, person, firstGuardian, invited, accept, becomeSecond }
}
