import { COLLECTED, END, END_WORD, looksDealt, looksMixed, looksRandom, type Rule } from './rule.ts';

const SLACK = 'https://docs.slack.dev/authentication/tokens/';
const WEBHOOK = '[A-Za-z0-9/_-]{20,255}';

/** Chat and mail. */
export const MESSAGES: readonly Rule[] = [
  {
    kind: 'slack',
    page: SLACK,
    prefixes: ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xwfp-', 'xoxe.xoxb-', 'xoxe.xoxp-'],
    rest: '[A-Za-z0-9%-]{10,512}',
    test: looksRandom,
  },
  { kind: 'slack', page: SLACK, prefixes: ['xapp-'], rest: '[A-Za-z0-9-]{20,255}', test: looksRandom },
  {
    kind: 'slack',
    page: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/',
    prefixes: ['hooks.slack.com/services/', 'hooks.slack.com/workflows/', 'hooks.slack.com/triggers/'],
    rest: WEBHOOK,
    keep: true,
  },
  {
    kind: 'discord',
    page: 'https://docs.discord.com/developers/resources/webhook',
    prefixes: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    rest: '[0-9]{17,20}/[A-Za-z0-9_-]{60,80}',
    keep: true,
  },
  {
    kind: 'teams',
    page: 'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
    prefixes: ['webhook.office.com/webhookb2/'],
    rest: '[A-Za-z0-9@-]{36,80}/IncomingWebhook/[a-f0-9]{32}/[a-f0-9-]{36}',
    keep: true,
  },
  {
    kind: 'zapier',
    page: 'https://docs.zapier.com/',
    prefixes: ['hooks.zapier.com/hooks/catch/'],
    rest: '[0-9]{4,12}/[a-z0-9]{6,12}',
    keep: true,
  },
  { kind: 'twilio', page: COLLECTED, prefixes: ['SK'], rest: `[0-9a-f]{32}${END}` },
  { kind: 'sendgrid', page: COLLECTED, prefixes: ['SG.'], rest: '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}' },
  { kind: 'mailgun', page: COLLECTED, prefixes: ['key-'], rest: `[0-9a-f]{32}${END}` },
  { kind: 'brevo', page: COLLECTED, prefixes: ['xkeysib-', 'xsmtpsib-'], rest: '[a-f0-9]{64}-[A-Za-z0-9]{16}' },
  {
    kind: 'resend',
    page: 'https://resend.com/docs/api-reference/introduction',
    prefixes: ['re_'],
    rest: `[A-Za-z0-9]{8}_[A-Za-z0-9]{20,32}${END_WORD}`,
    test: looksMixed,
  },
  { kind: 'mailersend', page: 'https://developers.mailersend.com/general.html', prefixes: ['mlsn.'], rest: `[a-f0-9]{64}${END}` },
  {
    kind: 'telegram',
    page: 'https://core.telegram.org/bots/api#making-requests',
    prefixes: ['bot'],
    rest: '[0-9]{6,12}(?::|%3[Aa])A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])',
    keep: true,
  },
  {
    kind: 'teams',
    page: 'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
    prefixes: ['outlook.office.com/webhook/'],
    rest: '[A-Za-z0-9@-]{36,80}/IncomingWebhook/[a-f0-9]{32}/[a-f0-9-]{36}',
    keep: true,
  },
  {
    kind: 'mandrill',
    page: 'https://mailchimp.com/developer/transactional/',
    prefixes: ['md-'],
    rest: `[A-Za-z0-9_-]{22}${END_WORD}`,
    test: looksDealt,
  },
  {
    kind: 'twitch',
    page: 'https://dev.twitch.tv/docs/authentication/',
    prefixes: ['oauth:'],
    rest: `[a-z0-9]{30}${END}`,
    test: looksRandom,
  },
];
