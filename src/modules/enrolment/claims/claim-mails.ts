import { letter, type Mail } from '#modules/messaging/published'

export const claimCodeMail = (about: {
  to: string
  code: string
  link: string
  days: number
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `Your family's code for school lunches at ${about.schoolName}`,
  text: letter(
    'Good day,',
    [
      'with this code you order school lunches for your children:',
      about.code,
      `Open ${about.link} within ${about.days} days, and register or log in. The code can be used once.`,
      'If you have no child at our school, you can ignore this message.',
    ],
    about.schoolName,
  ),
})

/** Warns the address on the roll; names neither child nor account. */
export const childrenClaimedMail = (about: {
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
      `If it was not, tell the school at once. Its contacts stand at ${about.publicUrl}`,
    ],
    about.schoolName,
  ),
})
