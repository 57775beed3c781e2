import type { Knex } from 'knex'
import type { Account, RollChild } from '#modules/identity/published'
import { letter, type Mail } from '#modules/messaging/published'
import type { EnrolmentNeeds } from '../ports'
import { isPlaceholderEmail } from './roll-cells'

export const addressesOf = (children: readonly Pick<RollChild, 'guardianEmail'>[]): string[] => [
  ...new Set(
    children.flatMap(({ guardianEmail: email }) =>
      email && !isPlaceholderEmail(email) ? email.toLowerCase() : [],
    ),
  ),
]

/** Tells addresses on the roll, so that their owner can object; not the account's own verified one. Letters to them go with the account. */
export const tellRollAddresses = async (
  { messaging, publicUrl, schoolName }: EnrolmentNeeds,
  transaction: Knex.Transaction,
  { children, account }: { children: readonly RollChild[]; account: Account },
): Promise<void> => {
  const own = account.emailVerifiedAt ? account.email?.toLowerCase() : undefined
  const addresses = addressesOf(children)
  const mails = addresses
    .filter((address) => address !== own)
    .map((to) => childrenClaimedMail({ to, count: children.length, publicUrl, schoolName }))
  await messaging.addClaimedMails(transaction, { addresses, mails, userId: account.id })
}

/** Warns the address on the roll; names neither child nor account. */
const childrenClaimedMail = (about: {
  to: string
  count: number
  publicUrl: string
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `Your ${about.count === 1 ? 'child was' : 'children were'} added to an account at ${about.schoolName}`,
  text: letter(
    'Good day,',
    [
      `the school's list has this email address for ${about.count === 1 ? 'a child' : `${about.count} children`} who ` +
        'can now order school lunches with an account, by the code of your family or by the school office.',
      'If that was you or somebody of your family, you need to do nothing.',
      `If it was not, tell the school at once. Its contacts are at ${about.publicUrl}`,
    ],
    about.schoolName,
  ),
})
