const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter]!)

const link = /(https?:\/\/[^\s<>"]*[^\s<>"'.,:;!?)])/

/** Escaped, with every web address as a link of these attributes. */
export const withLinks = (text: string, attributes = '', escape = escapeHtml): string =>
  text
    .split(link)
    .map(escape)
    .map((part, index) => (index % 2 === 1 ? `<a href="${part}"${attributes}>${part}</a>` : part))
    .join('')
