import type { BodyOf } from '#contracts/endpoint'
import type { contact } from '#contracts/identity'
import type { Principal } from '#platform/http/route'
import { readCommunication } from './communication.rows'
import type { WithMail } from './mail.job'
import { contactMail } from './mails'
import { refuse } from '../refusals'
import type { IdentityNeeds } from '../needs'

type ContactNeeds = Pick<IdentityNeeds, 'schoolName'> & { withMail: WithMail }

export const contactCommands = (needs: ContactNeeds) => ({
  /** Mails the message to the school's support address; refused while the school has set none. */
  contactSchool: (
    input: BodyOf<typeof contact>,
    about: { user: Pick<Principal, 'userId' | 'username'> },
  ): Promise<void> =>
    needs.withMail(async (transaction, post) => {
      const { supportEmail } = await readCommunication(transaction)
      if (supportEmail === '')
        throw refuse(
          'contact_unavailable',
          'The school has not set a support email address yet. Please contact the school office.',
        )
      const { userId, username } = about.user
      const mail = contactMail({ to: supportEmail, username, from: input, schoolName: needs.schoolName })
      await post(mail, { userId })
    }),
})
