import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contactMessage, contact } from '#contracts/identity'
import { internationalPhone } from '#contracts/names'
import { messageOf } from '../../lib/call'
import { endpointMutation } from '../../lib/endpoint-query'
import { toast } from '../../lib/toast'
import { communicationQuery } from '../../queries/identity'
import { Dialog } from '../../ui/dialog'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { Icon } from '../../ui/icon'
import { QueryResult } from '../../ui/query-result'
import { Tabs } from '../../ui/tabs'

const ways = [
  { key: 'email', label: 'By email', icon: 'mail' },
  { key: 'chat', label: 'Chat', icon: 'chat' },
] as const

type Asker = { username: string; name: string; email: string | null }
type ContactDialogProps = { open: boolean; onClose: () => void; asker: Asker }

export const ContactDialog = ({ open, onClose, asker }: ContactDialogProps) => {
  const [way, setWay] = useState<'email' | 'chat'>('email')
  return (
    <Dialog open={open} onClose={onClose} title="Contact the tuckshop">
      <Tabs label="Ways to reach us" tabs={ways} current={way} onChange={setWay}>
        {(key) =>
          key === 'email' ? <Message asker={asker} onSent={onClose} /> : <Chat username={asker.username} />
        }
      </Tabs>
    </Dialog>
  )
}

type MessageFormProps = { asker: Asker; onSent: () => void }

/** Shown where the school has an email address. */
const Message = (props: MessageFormProps) => (
  <QueryResult query={useQuery(communicationQuery)} failure="Failed to fetch communication settings">
    {({ supportEmail }) =>
      supportEmail ? (
        <MessageForm {...props} />
      ) : (
        <p className="text-muted">
          The school has not set a support email address yet. Please contact the school office.
        </p>
      )
    }
  </QueryResult>
)

const MessageForm = ({ asker, onSent }: MessageFormProps) => {
  const sending = useMutation(sendMessage)
  return (
    <Form
      schema={contactMessage}
      defaultValues={{ name: asker.name, email: asker.email ?? '', message: '' }}
      onSave={async (body) => {
        await sending.mutateAsync({ body })
        toast({ title: 'Message sent successfully', text: 'We will get back to you soon!' })
        onSent()
      }}
      failed={notifyNotSent}
      className="flex flex-col gap-4"
    >
      <FormField name="name" label="Name" autoComplete="name" maxLength={120} />
      <FormField name="email" label="Email" type="email" autoComplete="email" />
      <FormField name="message" label="Message" rows={5} maxLength={5000} />
      <SubmitButton icon="mail" busyLabel="Sending…">
        Send Message
      </SubmitButton>
    </Form>
  )
}

const notSent = 'Failed to send email'

const notifyNotSent = (error: unknown) =>
  toast({
    title: 'Error sending message',
    text: messageOf(error, notSent, `${notSent}. Please check your connection and try again.`),
    kind: 'error',
  })

const Chat = ({ username }: { username: string }) => (
  <QueryResult query={useQuery(communicationQuery)} failure="Failed to fetch communication settings">
    {({ whatsappNumber }) => {
      const link = chatLink(whatsappNumber, username)
      return link ? (
        <div className="flex flex-col gap-4 sm:items-start">
          <p className="text-muted">
            A chat opens in WhatsApp with your username already written, so that we know who is asking.
          </p>
          <a
            href={link}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center justify-center gap-2 rounded-md bg-brand-700 px-4 font-semibold text-white hover:bg-brand-800"
          >
            <Icon name="chat" size="sm" />
            Chat on WhatsApp
          </a>
        </div>
      ) : (
        <p className="text-muted">WhatsApp support contact information will be available soon.</p>
      )
    }}
  </QueryResult>
)

/** A chat with the username; null without a number. */
export const chatLink = (whatsappNumber: string, username: string): string | null => {
  const digits = (internationalPhone(whatsappNumber) ?? whatsappNumber).replaceAll(/\D/g, '')
  if (!digits) return null
  const text = `Hello, my username is ${username}. I need help with my tuckshop orders.`
  return `https://wa.me/${digits}?text=${encodeURIComponent(text)}`
}

export const sendMessage = endpointMutation(contact)
