import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contactMessage } from '#contracts/identity'
import { messageOf } from '../../lib/call'
import { toast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { useSchemaForm } from '../../ui/form'
import { QueryFaces } from '../../ui/query-faces'
import { Tabs } from '../../ui/tabs'
import { TextArea, TextField } from '../../ui/text-field'
import { communicationQuery, sendMessage } from './api'
import { chatLink } from './chat-link'

const ways = [
  { key: 'email', label: 'E-mail', icon: 'mail' },
  { key: 'chat', label: 'Chat', icon: 'chat' },
] as const

type Asker = { username: string; name: string; email: string | null }
type ContactDialogProps = { open: boolean; onClose: () => void; asker: Asker }

/** Two ways to reach the tuckshop: a message by e-mail, or a chat. */
export const ContactDialog = ({ open, onClose, asker }: ContactDialogProps) => {
  const [way, setWay] = useState<'email' | 'chat'>('email')
  return (
    <Dialog open={open} onClose={onClose} title="Contact the tuckshop">
      <Tabs label="Ways to reach us" tabs={ways} current={way} onChange={setWay}>
        {way === 'email' ? (
          <MessageForm asker={asker} onSent={onClose} />
        ) : (
          <Chat username={asker.username} />
        )}
      </Tabs>
    </Dialog>
  )
}

const MessageForm = ({ asker, onSent }: { asker: Asker; onSent: () => void }) => {
  const sending = useMutation(sendMessage)
  const form = useSchemaForm({
    schema: contactMessage,
    defaultValues: { name: asker.name, email: asker.email ?? '', message: '' },
    onSubmit: async (values) => {
      await sending.mutateAsync(values)
      toast({ title: 'Message sent successfully', text: 'We will get back to you soon!' })
      onSent()
    },
    onFailure: (error) =>
      toast({
        title: 'Error sending message',
        text: messageOf(error, 'Failed to send email'),
        kind: 'error',
      }),
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-col gap-4">
      <TextField label="Name" autoComplete="name" error={form.errorOf('name')} {...form.register('name')} />
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        error={form.errorOf('email')}
        {...form.register('email')}
      />
      <TextArea label="Message" rows={5} error={form.errorOf('message')} {...form.register('message')} />
      <Button type="submit" icon="mail" busy={form.busy}>
        Send Message
      </Button>
    </form>
  )
}

const Chat = ({ username }: { username: string }) => (
  <QueryFaces query={useQuery(communicationQuery)} failure="Failed to fetch communication settings">
    {({ whatsappNumber }) => {
      const link = chatLink(whatsappNumber, username)
      return link ? (
        <div className="flex flex-col items-start gap-3">
          <p className="text-muted">We usually answer during school hours.</p>
          <a
            href={link}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center rounded-md bg-brand-700 px-4 font-semibold text-white hover:bg-brand-800"
          >
            Chat on WhatsApp
          </a>
        </div>
      ) : (
        <p>WhatsApp support contact information will be available soon.</p>
      )
    }}
  </QueryFaces>
)
