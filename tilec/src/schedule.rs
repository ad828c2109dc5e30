//! The options of `tilec build` for the schedule of kernels: those of the attribute, and `--disable`.

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::error::Error;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use tile_backend::session::optimizations;
use tile_backend::session::{DisabledPasses, OptionValue, ScheduleOption, ScheduleOptions};

const DISABLE: &str = "disable";

/// The options for the schedule, as arguments of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScheduleArguments(pub(crate) ScheduleOptions);

/// Returns the argument of an option.
fn argument(option: &'static ScheduleOption) -> Arg {
    let (first, rest) = option.doc.split_at(1);
    let default = option.default;
    let help = format!("{}{rest}. Default: {default}", first.to_uppercase());
    let argument = Arg::new(option.name).long(option.flag).help(help);
    match option.value {
        OptionValue::Switch => argument.action(ArgAction::SetTrue),
        OptionValue::Number { value_name, is, .. } => {
            argument
                .value_name(value_name)
                .value_parser(move |text: &str| {
                    let value = text.parse().ok();
                    value
                        .filter(|&value| option.allows(value))
                        .ok_or_else(|| format!("it is {is}"))
                })
        }
    }
}

/// Returns the argument for optimizations to disable.
fn disable() -> Arg {
    let passes = PossibleValuesParser::new(optimizations().map(|it| it.name)).map(|name| {
        let mut known = optimizations();
        let optimization = known.find(|it| it.name == name);
        optimization.expect("the parser knows the names").flag
    });
    Arg::new(DISABLE)
        .long(DISABLE)
        .value_name("PASSES")
        .value_delimiter(',')
        .action(ArgAction::Append)
        .help(
            "Optimizations to disable, for ablation or bisection. None of them changes what a \
             kernel computes",
        )
        .value_parser(passes)
}

impl Args for ScheduleArguments {
    fn augment_args(command: Command) -> Command {
        command
            .args(ScheduleOption::ALL.iter().map(argument))
            .arg(disable())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ScheduleArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut arguments = Self(ScheduleOptions::default());
        arguments.update_from_arg_matches(matches)?;
        Ok(arguments)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for option in ScheduleOption::ALL {
            let value = match option.value {
                OptionValue::Switch => matches.get_flag(option.name).then_some(1),
                OptionValue::Number { .. } => matches.get_one(option.name).copied(),
            };
            if value.is_some() {
                *(option.field)(&mut self.0) = value;
            }
        }
        let disabled = matches.get_many::<DisabledPasses>(DISABLE);
        self.0
            .disabled
            .extend(disabled.into_iter().flatten().copied());
        Ok(())
    }
}
