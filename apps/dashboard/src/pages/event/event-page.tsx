import { useApi } from '../../api/resource.ts';
import { AgentName } from '../../parts/agent.tsx';
import { Commands } from '../../parts/command.tsx';
import { eventTitle } from '../../parts/event-words.ts';
import { Shown } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { routeTo } from '../../router/route.ts';
import { Code } from '../../text/code.tsx';
import { prettyJson } from '../../text/language.ts';
import { LimitedText } from '../../text/page-text.tsx';
import { DecisionDetail } from '../session/decision-detail.tsx';
import '../session/session.css';
import '../session/timeline.css';

export function EventPage({ id }: { readonly id: string }) {
  const event = useApi('/api/events/:id', [id], {});
  return (
    <Shown of={event} lines={8}>
      {(value) => (
        <>
          <header class="page-head">
            <h1>
              {eventTitle(value.name)} {value.tool && <span class="soft">{value.tool.name}</span>}
            </h1>
            <p class="under toolbar">
              <AgentName agent={value.agent} />
              <Time at={value.at} />
              {value.subagent && <span>subagent {value.subagent}</span>}
              {value.session && <a href={routeTo(['session', value.session], { event: value.id })}>its session</a>}
              <code>{value.shortId}</code>
            </p>
          </header>
          <div class="stack">
            {value.tool?.command && <Code text={value.tool.command} language="bash" />}
            {value.tool && value.tool.files.length > 0 && (
              <ul class="file-list">
                {value.tool.files.map((file) => (
                  <li key={file}>{file}</li>
                ))}
              </ul>
            )}
            {[value.prompt, value.text].map(
              (text, at) =>
                text && (
                  <div class="prompt-text" key={at}>
                    <LimitedText value={text}>{(shown) => <p>{shown}</p>}</LimitedText>
                  </div>
                ),
            )}
            {value.decision && <DecisionDetail decision={value.decision} />}
            <Commands commands={value.commands} />
            {value.problems.length > 0 && (
              <ul class="note warn">
                {value.problems.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            )}
            {value.payload ? (
              <section class="card">
                <header>
                  <h2>What the agent sent</h2>
                </header>
                <div class="body">
                  <LimitedText value={value.payload}>{(text) => <Code text={prettyJson(text)} language="json" />}</LimitedText>
                </div>
              </section>
            ) : (
              value.expired && <p class="note small">What the agent sent has expired: it is kept for 30 days.</p>
            )}
          </div>
        </>
      )}
    </Shown>
  );
}
