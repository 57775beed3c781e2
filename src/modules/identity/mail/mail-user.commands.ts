import { v5 } from 'uuid'
import type { WithMail } from './mail.job'
import { messageMail } from './mails'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'

const messageNamespace = '6d1f9a52-0d0e-4d53-8f0b-2f0c1e5f7a3b'

/**
 * Mails a message to a user, as a letter with salutation and signature. The same `id` is one mail, however often it is
 * asked for. Answers false when there is nobody or no e-mail address to write to.
 */
export const mailUser =
  (needs: Pick<IdentityNeeds, 'database' | 'schoolName'> & { withMail: WithMail }) =>
  async (userId: number, message: { subject: string; text: string }, id: string): Promise<boolean> => {
    const account = await userRows(needs.database.knex).byId(userId)
    if (!account?.email) return false
    const { name, email } = account
    const mail = messageMail({ to: email, name, ...message, schoolName: needs.schoolName })
    await needs.withMail((_transaction, post) => post(mail, v5(id, messageNamespace)))
    return true
  }
