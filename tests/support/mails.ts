import { listMails, readMail } from '../../src/adapters/mail'
import { eventually } from './eventually'

/** The newest mail to this address with this in its subject, as soon as it is written. */
export const mailTo = (school: { dataDir: string }, address: string, subject: string) =>
  eventually(async () => {
    const mails = await listMails(school.dataDir)
    const found = mails.find((mail) => mail.to.includes(address) && mail.subject.includes(subject))
    const mail = found ? await readMail(school.dataDir, found.name) : null
    if (!mail)
      throw new Error(
        `No mail "${subject}" to ${address} among ${mails.map((one) => one.subject).join(', ')}`,
      )
    return mail
  })
