import type { ReplyOf } from '#contracts/endpoint'
import type { getPrivacy } from '#contracts/privacy'

/** The words that a version stands for. */
export type Notice = Omit<ReplyOf<typeof getPrivacy>, 'version' | 'since'>

/** The words of `/privacy`. Periods come from what removes the rows; whatever changes a word makes another version. */
export const privacyNotice = (facts: Omit<Notice, 'sections'>): Notice => ({
  ...facts,
  sections: [
    {
      title: 'Who keeps it',
      paragraphs: [
        `${facts.schoolName} keeps what is written here and decides what it is used for: ordering, cooking, handing out and paying for school lunches, and writing to you about them.`,
      ],
    },
    {
      title: 'What is kept',
      paragraphs: [
        'Of you: name, username, email, phone, how you want to be written to, and your password in a form that nobody can read.',
        'Of your children: name, grade, class, admission number, guardians, and the allergies and diets that you tell us.',
        'Of meals and money: orders, remarks, payments, receipts, refunds, credit, and who changed what and when.',
        'Card numbers never reach us; of a card we keep the last four digits, of a payment by phone the number.',
      ],
    },
    {
      title: 'Who sees it',
      paragraphs: [
        'The office and the kitchen, each what their work needs, and the other guardians of a child. Who pays online gives name, contact and amount to the payment provider; messages pass through the providers of email and SMS.',
      ],
    },
    {
      title: 'How long it is kept',
      paragraphs: [
        'Your account, your children and what you tell of their health: until the school deletes the account, which you can ask for at any time.',
        'Orders, payments, receipts and refunds: for good, for the books. When your account is deleted, names, contacts and remarks in them are destroyed; numbers, dates and amounts stay.',
        'Backups made before still hold what was deleted, until the school throws them away.',
      ],
    },
    {
      title: 'What you can do',
      paragraphs: [
        'Under View Profile you correct your data and download all that is kept about your family. Ask the school about anything else, or to delete your account.',
      ],
    },
  ],
})
