import type { FamilyMessage, FamilyPage } from '#contracts/families'
import { dateAndTime } from '../../lib/school-moment'
import { Badge, type Tone } from '../../ui/badge'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Notice } from '../../ui/notice'

type MessagesProps = Pick<FamilyPage, 'reachedBy'> & { messages: readonly FamilyMessage[] }

/** How a family is written to, the messages to it, and whether each has left. */
export const FamilyMessages = ({ messages, reachedBy }: MessagesProps) => (
  <Card>
    <CardHeading title="Messages" hint="Mails and SMS of the last 90 days" />
    <CardBody className="flex flex-col gap-3">
      {reachedBy.length === 0 ? (
        <Notice tone="warning" title="No message reaches this family">
          <p>It has no email address, and no verified phone that SMS could go to.</p>
        </Notice>
      ) : (
        <p className="text-sm text-muted">{`Written to by ${reachedBy.map((channel) => sentBy[channel]).join(' and ')}`}</p>
      )}
      {messages.length === 0 ? (
        <p className="text-muted">No message was written.</p>
      ) : (
        <ul className="divide-y divide-line">
          {messages.map((message) => (
            <li
              key={`${message.at} ${message.channel} ${message.subject} ${message.to}`}
              className="flex items-start justify-between gap-3 py-2.5"
            >
              <span className="min-w-0">
                <span className="block break-words">{message.subject}</span>
                <span className="block text-sm break-all text-muted">{`${channels[message.channel]} to ${message.to} · ${dateAndTime(message.at)}`}</span>
                {message.failure && message.state !== 'sent' && (
                  <span className="block text-sm text-muted">{`Because ${message.failure}`}</span>
                )}
              </span>
              <span className="shrink-0">
                <Badge tone={tones[message.state]}>{words[message.state](message)}</Badge>
              </span>
            </li>
          ))}
        </ul>
      )}
    </CardBody>
  </Card>
)

const sentBy: Record<FamilyMessage['channel'], string> = { mail: 'email', sms: 'SMS' }
const channels: Record<FamilyMessage['channel'], string> = { mail: 'Mail', sms: 'SMS' }

const tones: Record<FamilyMessage['state'], Tone> = {
  sent: 'brand',
  waiting: 'warning',
  given_up: 'danger',
  unclear: 'danger',
}

const words: Record<FamilyMessage['state'], (message: FamilyMessage) => string> = {
  sent: () => 'Sent',
  waiting: ({ tries }) => (tries === 0 ? 'Being sent' : `Not sent yet, ${tries} failed`),
  given_up: () => 'Did not arrive',
  unclear: () => 'Perhaps not sent',
}
