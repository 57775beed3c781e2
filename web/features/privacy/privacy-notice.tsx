import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '#contracts/endpoint'
import type { getPrivacy } from '#contracts/privacy'
import { longDate } from '../../lib/format'
import { schoolDate } from '../../lib/school-moment'
import { privacyQuery } from '../../queries/identity'
import { QueryResult } from '../../ui/query-result'

export const PrivacyNotice = () => (
  <QueryResult query={useQuery(privacyQuery)} failure="The privacy notice cannot be shown at the moment">
    {(notice) => <NoticeText notice={notice} />}
  </QueryResult>
)

type Notice = ReplyOf<typeof getPrivacy>

const NoticeText = ({ notice }: { notice: Notice }) => (
  <div className="flex flex-col gap-4 wrap-anywhere">
    <p className="text-sm text-muted">
      Version {notice.version}, since {longDate(schoolDate(notice.since))}
    </p>
    {notice.sections.map(({ title, paragraphs }) => (
      <section key={title} className="flex flex-col gap-1.5">
        <h2 className="font-semibold">{title}</h2>
        {paragraphs.map((paragraph) => (
          <p key={paragraph} className="text-muted">
            {paragraph}
          </p>
        ))}
      </section>
    ))}
    <section className="flex flex-col gap-1.5">
      <h2 className="font-semibold">What is removed automatically</h2>
      <dl className="divide-y divide-line">
        {notice.kept.map(({ what, kept }) => (
          <div key={what} className="py-1.5">
            <dt>{what}</dt>
            <dd className="text-sm text-muted">{kept}</dd>
          </div>
        ))}
      </dl>
    </section>
    <WhomToAsk notice={notice} />
  </div>
)

const WhomToAsk = ({ notice }: { notice: Notice }) => {
  const { schoolName, dataProtectionOfficer, supportEmail, whatsappNumber } = notice
  const ways = [
    ['Data protection', dataProtectionOfficer],
    ['Email', supportEmail],
    ['WhatsApp', whatsappNumber],
  ].filter(([, way]) => way !== '')
  return (
    <section className="flex flex-col gap-1.5">
      <h2 className="font-semibold">Whom to ask</h2>
      {ways.length === 0 ? <p className="text-muted">The office of {schoolName}.</p> : null}
      <dl>
        {ways.map(([name, way]) => (
          <div key={name} className="flex flex-wrap gap-x-2">
            <dt className="text-muted">{name}:</dt>
            <dd>{way}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
